CREATE VIRTUAL TABLE `documents_fts` USING fts5(title, body, english, people, labels, content='document_texts', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='1 2 3 4 5 6');
--> statement-breakpoint
CREATE VIRTUAL TABLE `documents_vocabulary` USING fts5vocab('documents_fts', 'row');
--> statement-breakpoint
CREATE TRIGGER `document_texts_insert` AFTER INSERT ON `document_texts` BEGIN
  INSERT INTO documents_fts(rowid, title, body, english, people, labels) VALUES (new.id, new.title, new.body, new.english, new.people, new.labels);
END;
--> statement-breakpoint
CREATE TRIGGER `document_texts_delete` AFTER DELETE ON `document_texts` BEGIN
  INSERT INTO documents_fts(documents_fts, rowid, title, body, english, people, labels) VALUES ('delete', old.id, old.title, old.body, old.english, old.people, old.labels);
END;
--> statement-breakpoint
CREATE TRIGGER `document_texts_update` AFTER UPDATE ON `document_texts` WHEN old.title <> new.title OR old.body <> new.body OR old.english <> new.english OR old.people <> new.people OR old.labels <> new.labels BEGIN
  INSERT INTO documents_fts(documents_fts, rowid, title, body, english, people, labels) VALUES ('delete', old.id, old.title, old.body, old.english, old.people, old.labels);
  INSERT INTO documents_fts(rowid, title, body, english, people, labels) VALUES (new.id, new.title, new.body, new.english, new.people, new.labels);
END;
