import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../src-shared/contract/rows.ts';
import { useMayEdit } from '../../app/session.tsx';
import { useShortcuts } from '../../app/shortcuts.ts';
import { ActionsMenu } from './actions-menu.tsx';
import { Banner } from './banner.tsx';
import { Fields } from './fields.tsx';
import { History } from './history.tsx';
import type { PlaceKey } from './places.ts';
import { LabTable } from './lab-table.tsx';
import { Rows } from './rows.tsx';
import type { DocumentActions } from './use-actions.ts';

export interface Lighting { lit: PlaceKey | null; onLight: (key: PlaceKey | null) => void; onShow: (key: PlaceKey) => void }

/** What was read: title, what to look at, fields, rows, history. */
export function Sheet({ document, title, actions, ...lighting }: { document: DocumentDetail; title: string; actions: DocumentActions } & Lighting) {
  const { t } = useTranslation('document');
  const mayEdit = useMayEdit();
  useShortcuts({ r: () => { if (mayEdit) actions.reprocess(); }, Delete: () => { if (mayEdit) actions.remove(); }, e: () => globalThis.document.querySelector<HTMLElement>('.value-button')?.click() });
  return (
    <section className="sheet" aria-label={t('details')}>
      <header className="sheet-head">
        <h1>{title}</h1>
        <ActionsMenu document={document} actions={actions} mayEdit={mayEdit} />
        {document.summary_en && <p className="sheet-summary">{document.summary_en}</p>}
      </header>
      <Banner document={document} actions={actions} mayEdit={mayEdit} onShow={lighting.onShow} />
      <Fields document={document} mayEdit={mayEdit} {...lighting} />
      {document.lab_results.length > 0 && <LabTable results={document.lab_results} {...lighting} />}
      <Rows document={document} {...lighting} />
      <History document={document} />
    </section>
  );
}
