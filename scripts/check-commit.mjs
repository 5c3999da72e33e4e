/**
 * Checks the message of a commit, as CONTRIBUTING asks for it: a subject of at most 72 characters, and a body with the
 * reason. The hook `commit-msg` runs it with the file of the message.
 */
import { readFileSync } from 'node:fs';

const MAX_SUBJECT = 72;

/** What is wrong with a message; lines that begin with `#` are Git's own. Merges and commits to be squashed are free. */
function problemsOf(message) {
  const lines = message.split('\n').filter((line) => !line.startsWith('#'));
  const [subject = '', separator = '', ...body] = lines;
  if (/^(?:Merge|Revert|fixup!|squash!|amend!) /.test(subject)) return [];
  return [
    subject.length > MAX_SUBJECT && `The subject has ${subject.length} characters; ${MAX_SUBJECT} are allowed.`,
    subject.endsWith('.') && 'The subject ends with a full stop.',
    separator !== '' && 'The second line is not empty.',
    !body.some((line) => line.trim() !== '') && 'The body that gives the reason is missing.',
  ].filter(Boolean);
}

for (const problem of problemsOf(readFileSync(process.argv[2], 'utf8'))) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
