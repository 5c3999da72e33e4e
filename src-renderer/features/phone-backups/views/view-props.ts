import type { PhoneLabels } from '../labels.ts';
import type { BackupSource } from '../source/source.ts';

export interface ViewProps {
  source: BackupSource;
  labels: PhoneLabels;
}
