/** Types that are a measurement of a body, such as a practice takes: what may go to a patient's trends. */
export const MEASUREMENTS: ReadonlySet<string> = new Set([
  'body_mass_index', 'body_fat_percentage', 'height', 'body_mass', 'lean_body_mass', 'heart_rate', 'oxygen_saturation', 'blood_glucose', 'blood_pressure_systolic', 'blood_pressure_diastolic', 'respiratory_rate', 'body_temperature',
  'forced_vital_capacity', 'forced_expiratory_volume_1', 'peak_expiratory_flow_rate', 'basal_body_temperature', 'waist_circumference', 'resting_heart_rate', 'vo2_max', 'walking_heart_rate_average', 'heart_rate_variability_sdnn', 'atrial_fibrillation_burden',
]);
