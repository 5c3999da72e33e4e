import { Circle, Crosshair, DraftingCompass, Pencil, Ruler, Square, Star, Trash2, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { StudyMark } from '../../../../src-shared/contract/imaging.ts';
import { Input } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { ShownSeries } from './series.ts';
import { showMark } from './find-key-images.ts';
import type { Marks } from './use-marks.ts';
import type { Viewer } from './use-viewer.ts';
import type { ViewerWords } from './use-words.ts';

const GLYPHS: Record<StudyMark['kind'], LucideIcon> = {
  length: Ruler,
  angle: DraftingCompass,
  ellipse: Circle,
  rectangle: Square,
  probe: Crosshair,
  key_image: Star,
};

interface Props {
  marks: Marks;
  series: readonly ShownSeries[];
  viewer: Viewer;
  words: ViewerWords;
}

/** The measurements and key images of the study; a click shows one. */
export function MarksPanel({ marks, series, viewer, words }: Props) {
  const { t } = words;
  return (
    <section className="im-side-pane" aria-labelledby="im-marks">
      <div className="im-side-head">
        <h2 id="im-marks">{t('marks')}</h2>
        {marks.items.length > 0 && <span className="cap num">{marks.items.length}</span>}
      </div>
      {marks.items.length === 0 ? (
        <p className="im-side-text">{marks.mayChange ? t('marks_none') : t('marks_none_seen')}</p>
      ) : (
        <ul className="im-marks">
          {marks.items.map((mark) => (
            <MarkRow key={mark.id} {...{ mark, marks, series, viewer, words }} />
          ))}
        </ul>
      )}
    </section>
  );
}

function MarkRow({ mark, marks, series, viewer, words }: Props & { mark: StudyMark }) {
  const { t } = words;
  const [isRenaming, setRenaming] = useState(false);
  const of = series.find(({ id }) => id === mark.series_id);
  const name = mark.label ?? t(`mark_${mark.kind}`);
  if (isRenaming)
    return (
      <li>
        <NameField
          mark={mark}
          words={words}
          onEnd={(label) => {
            setRenaming(false);
            if (label !== undefined && label !== mark.label) marks.rename(mark, label);
          }}
        />
      </li>
    );
  return (
    <li>
      <button type="button" className="im-mark" onClick={() => showMark(mark, series, viewer)}>
        <Icon glyph={GLYPHS[mark.kind]} />
        <span className="truncate">{[name, words.saved(mark.measured)].filter(Boolean).join(' · ')}</span>
        {of && <small className="truncate">{t('picture_short', { name: of.name, at: mark.index + 1 })}</small>}
      </button>
      {marks.mayChange && (
        <>
          <IconButton
            glyph={Pencil}
            size="small"
            label={t('mark_rename', { name })}
            onClick={() => setRenaming(true)}
          />
          <IconButton
            glyph={Trash2}
            size="small"
            label={t('mark_remove', { name })}
            onClick={() => marks.remove(mark)}
          />
        </>
      )}
    </li>
  );
}

/** Takes a name: Enter and leaving the field save it, Escape does not; an empty one is the name of the kind. */
function NameField({
  mark,
  words: { t },
  onEnd,
}: {
  mark: StudyMark;
  words: ViewerWords;
  onEnd: (label: string | null | undefined) => void;
}) {
  const [draft, setDraft] = useState(mark.label ?? '');
  return (
    <Input
      autoFocus
      aria-label={t('mark_name')}
      value={draft}
      maxLength={200}
      placeholder={t(`mark_${mark.kind}`)}
      onChange={({ target }) => setDraft(target.value)}
      onBlur={() => onEnd(draft.trim() || null)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') onEnd(draft.trim() || null);
        if (key === 'Escape') onEnd(undefined);
      }}
    />
  );
}
