import { Notice } from '../../../ui/states.tsx';
import type { ViewProps } from './view-props.ts';
import { useAnswer } from '../queries.ts';
import { Toolbar } from '../toolbar.tsx';
import { Integrity } from './integrity.tsx';
import './about.css';

/** Shows the facts of the device and its backup, their problems, and the integrity check. */
export default function AboutView({ source, labels }: ViewProps) {
  const { t, formats } = labels;
  const { device } = source;
  const domains = useAnswer(source, 'domains', {});
  const files = domains.data?.counts.reduce((sum, domain) => sum + domain.files, 0),
    bytes = domains.data?.counts.reduce((sum, domain) => sum + domain.bytes, 0);
  const facts: [name: string, value: string | null | undefined, isCode?: boolean][] = [
    [t('device_name'), device.name],
    [t('model'), device.model],
    [t('system'), device.system && t('ios', { version: device.system })],
    [t('last_backup'), device.backedUpAt && labels.exact(device.backedUpAt)],
    [t('protection'), t(device.isEncrypted ? 'encrypted' : 'not_encrypted')],
    [t('extent'), device.isFull === null ? null : t(device.isFull ? 'full' : 'partial')],
    [t('files_column'), files === undefined ? null : formats.count(files)],
    [t('size'), bytes === undefined ? null : formats.bytes(bytes)],
    [t('serial'), device.serial, true],
    [t('phone_number'), device.phone, true],
    [t('backup_id'), device.id, true],
  ];
  return (
    <>
      <Toolbar title={t('view.about')} count={undefined} source={source} labels={labels} />
      <div className="phone-about">
        {device.problems.map((problem) => (
          <Notice key={problem} tone="warn">
            <strong>{labels.problem(problem)}.</strong> {labels.problemHelp(problem)}
          </Notice>
        ))}
        {!device.isEncrypted && <Notice tone="warn">{t('no_health')}</Notice>}
        <dl className="phone-about-facts">
          {facts.map(([name, value, isCode]) =>
            value ? (
              <div key={name}>
                <dt>{name}</dt>
                <dd className={isCode ? 'mono' : 'num'}>{value}</dd>
              </div>
            ) : null,
          )}
        </dl>
        <Integrity source={source} labels={labels} />
      </div>
    </>
  );
}
