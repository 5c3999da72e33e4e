import { Link } from '@tanstack/react-router';
import type { IndexJob } from '../../../src-shared/contract/phone-backups/service.ts';
import { Icon } from '../../ui/icon.tsx';
import { useAnswer } from './queries.ts';
import type { BackupSource } from './source/source.ts';
import { VIEWS } from './views.ts';
import type { PhoneLabels } from './labels.ts';

/** The navigation among the views of a backup, each with its number of rows. */
export function ArtifactRail({
  source,
  view,
  job,
  labels,
}: {
  source: BackupSource;
  view: string;
  job: IndexJob | undefined;
  labels: PhoneLabels;
}) {
  const { t, formats } = labels;
  const domains = useAnswer(source, 'domains', {});
  const isRead = job?.artifacts.some(({ artifact, status }) => artifact === 'health' && status === 'done') ?? false;
  const records = useAnswer(source, 'healthRecords', { query: { limit: '1' } }, isRead);
  const files = domains.data?.counts.reduce((sum, { files: count }) => sum + count, 0);
  return (
    <nav className="phone-rail" aria-label={t('artifacts')}>
      {VIEWS.map(({ name, glyph, artifact, group }, index) => {
        const progress = job?.artifacts.find((each) => each.artifact === artifact);
        const countOf = (): number | undefined => {
          if (name === 'files') return files;
          if (name === 'records') return records.data?.total;
          return progress && progress.status !== 'waiting' && progress.status !== 'absent' ? progress.rows : undefined;
        };
        const count = countOf();
        return (
          <Link
            key={name}
            to="/phones/$id"
            params={{ id: source.device.id }}
            search={(before) => ({ patient: before.patient, from: source.kind, view: name })}
            className="nav"
            data-rule={(index > 0 && VIEWS[index - 1]?.group !== group) || undefined}
            data-absent={progress?.status === 'absent' || undefined}
            aria-current={view === name ? 'page' : undefined}
            data-busy={progress?.status === 'running' || undefined}
          >
            <Icon glyph={glyph} />
            <span className="truncate">{t(`view.${name}`)}</span>
            {count !== undefined && <span className="nav-count num">{formats.count(count)}</span>}
          </Link>
        );
      })}
    </nav>
  );
}
