import { ChevronLeft, ChevronRight, Star } from 'lucide-react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { KeyImages } from './find-key-images.ts';
import type { ViewerWords } from './use-words.ts';
import './key-images.css';

/** Leads through the key images of what the rail lists. */
export function KeyImagesRail({ keyImages, words: { t } }: { keyImages: KeyImages; words: ViewerWords }) {
  const { at, total, go } = keyImages;
  if (total === 0) return null;
  return (
    <div className="im-keys" role="group" aria-label={t('key_images')}>
      <Icon glyph={Star} />
      <span>{t('key_images')}</span>
      <div className="im-keys-ways">
        <IconButton glyph={ChevronLeft} size="small" label={t('key_image_before')} keys="N" onClick={() => go(-1)} />
        <span className="num" aria-live="polite">
          {at === 0 ? total : t('at', { at, total })}
        </span>
        <IconButton glyph={ChevronRight} size="small" label={t('key_image_next')} keys="n" onClick={() => go(1)} />
      </div>
    </div>
  );
}
