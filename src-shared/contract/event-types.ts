export const EVENT_TYPES = [
  'symptom',
  'diagnosis',
  'hospitalization',
  'surgery',
  'treatment',
  'follow_up',
  'emergency',
  'pregnancy',
  'chronic_condition',
  'injury',
  'screening',
  'other',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
export const SEVERITIES = ['mild', 'moderate', 'severe', 'critical'] as const;
