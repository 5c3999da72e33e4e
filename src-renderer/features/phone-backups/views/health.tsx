import { useState } from 'react';
import type { HealthType } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { useMayEdit } from '../../../client/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { ItemList } from '../item-list.tsx';
import type { PhoneLabels } from '../labels.ts';
import { useAnswer } from '../queries.ts';
import { HealthSendDialog } from '../send/health-dialog.tsx';
import type { QueryReply } from '../source/source.ts';
import { Toolbar } from '../toolbar.tsx';
import { useSearchState } from '../use-search-state.ts';
import { HealthTypePage } from './health-type-page.tsx';
import { ListAndPage } from './list-and-page.tsx';
import type { ViewProps } from './view-props.ts';
import './open-item.css';

/** HKFitzpatrickSkinType: the types 1 to 6 are written I to VI. */
const SKIN: Readonly<Record<number, string>> = { 1: 'I', 2: 'II', 3: 'III', 4: 'IV', 5: 'V', 6: 'VI' };

type Characteristics = QueryReply<'healthTypes'>['characteristics'];

/** Types of health values, with a chart of each. */
export default function HealthView({ source, labels }: ViewProps) {
  const { t } = labels;
  const { search } = useSearchState();
  const mayEdit = useMayEdit();
  const { data, error, refetch } = useAnswer(source, 'healthTypes', {});
  const [isSending, setSending] = useState(false);
  const types = (data?.types ?? []).toSorted((a, b) => b.count - a.count);
  const active = Math.max(
    0,
    types.findIndex(({ type }) => type === search.item),
  );
  const activeType: HealthType | undefined = types[active];
  const list = (
    <>
      <Toolbar title={t('view.health')} count={data?.types.length} source={source} labels={labels}>
        {mayEdit && types.some(({ is_measurement: isMeasurement }) => isMeasurement) && (
          <Button size="small" className="push" onClick={() => setSending(true)}>
            {t('send_health')}
          </Button>
        )}
      </Toolbar>
      {error && <ErrorState message={labels.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={10} label={t('loading')} />}
      {data && types.length === 0 && (
        <EmptyState title={t('none_of', { what: t('view.health') })}>
          {source.device.isEncrypted ? t('none_text') : t('no_health')}
        </EmptyState>
      )}
      <CharacteristicsLine characteristics={data?.characteristics} labels={labels} />
      {types.length > 0 && <TypeList types={types} active={active} labels={labels} />}
    </>
  );
  return (
    <>
      <ListAndPage list={list} labels={labels}>
        {activeType && <HealthTypePage key={activeType.type} type={activeType} source={source} labels={labels} />}
      </ListAndPage>
      {isSending && (
        <HealthSendDialog types={types} source={source} labels={labels} onClose={() => setSending(false)} />
      )}
    </>
  );
}

/** Facts about the person: date of birth, sex, blood type. */
function CharacteristicsLine({
  characteristics,
  labels: { t, formats },
}: {
  characteristics: Characteristics | undefined;
  labels: PhoneLabels;
}) {
  if (!characteristics || !Object.values(characteristics).some(Boolean)) return null;
  const {
    date_of_birth: birth,
    sex,
    blood_type: bloodType,
    skin_type: skinType,
    wheelchair: usesWheelchair,
  } = characteristics;
  return (
    <p className="cap phone-characteristics">
      {[
        birth && t('born', { date: formats.date(birth) }),
        sex && t(`sex.${sex}`),
        bloodType && t('blood', { type: bloodType }),
        skinType && t('skin', { type: SKIN[skinType] ?? '' }),
        usesWheelchair && t('wheelchair'),
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
  );
}

interface ListProps {
  types: readonly HealthType[];
  active: number;
  labels: PhoneLabels;
}

function TypeList({ types, active, labels }: ListProps) {
  const { set } = useSearchState();
  return (
    <ItemList
      label={labels.t('view.health')}
      count={types.length}
      rowHeight={50}
      active={active}
      onShow={() => {}}
      onActive={(index) => set({ item: types[index]?.type, part: undefined })}
    >
      {(index) => {
        const type = types[index];
        return type && <TypeItem type={type} isOpen={index === active} labels={labels} />;
      }}
    </ItemList>
  );
}

function TypeItem({ type, isOpen, labels }: { type: HealthType; isOpen: boolean; labels: PhoneLabels }) {
  const { t, formats } = labels;
  return (
    <div className="phone-item" data-selected={isOpen || undefined}>
      <span className="row">
        <strong className="truncate">{labels.healthType(type.type)}</strong>
        {type.is_measurement && <Tag>{t('measurement')}</Tag>}
        <span className="cap num push">{formats.count(type.count)}</span>
      </span>
      <span className="cap truncate num">
        {[labels.unit(type.unit), labels.day(type.first_at), labels.day(type.last_at)].filter(Boolean).join(' · ')}
      </span>
    </div>
  );
}
