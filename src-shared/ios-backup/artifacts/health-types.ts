/**
 * `samples.data_type` of healthdb_secure.sqlite. Apple does not publish the numbers; these were found by writing samples and looking:
 * https://github.com/christophhagen/HealthDB, `SampleType.swift`, whose numbers 2, 3, 5, 7, 63, 118 and 173 are also those of
 * https://github.com/log2timeline/plaso, `ios_health.py`, and of the design's table. Units are those of the column `quantity`; `bpm` is
 * kept by the second (heart rate) or by the minute (resting heart rate), which its size tells; `%` is kept as a share of one.
 */
export const QUANTITIES: Readonly<Record<number, readonly [name: string, unit: string]>> = {
  0: ['body_mass_index', 'count'], 1: ['body_fat_percentage', '%'], 2: ['height', 'm'], 3: ['body_mass', 'kg'], 4: ['lean_body_mass', 'kg'], 5: ['heart_rate', 'bpm'],
  7: ['step_count', 'count'], 8: ['distance_walking_running', 'm'], 9: ['basal_energy_burned', 'kcal'], 10: ['active_energy_burned', 'kcal'],
  12: ['flights_climbed', 'count'], 14: ['oxygen_saturation', '%'], 15: ['blood_glucose', 'mg/dL'], 16: ['blood_pressure_systolic', 'mmHg'],
  17: ['blood_pressure_diastolic', 'mmHg'], 18: ['blood_alcohol_content', '%'], 19: ['peripheral_perfusion_index', '%'], 20: ['dietary_fat_total', 'g'],
  21: ['dietary_fat_polyunsaturated', 'g'], 22: ['dietary_fat_monounsaturated', 'g'], 23: ['dietary_fat_saturated', 'g'], 24: ['dietary_cholesterol', 'g'],
  25: ['dietary_sodium', 'g'], 26: ['dietary_carbohydrates', 'g'], 27: ['dietary_fiber', 'g'], 28: ['dietary_sugar', 'g'], 29: ['dietary_energy_consumed', 'kcal'],
  30: ['dietary_protein', 'g'], 31: ['dietary_vitamin_a', 'g'], 32: ['dietary_vitamin_b6', 'g'], 33: ['dietary_vitamin_b12', 'g'], 34: ['dietary_vitamin_c', 'g'],
  35: ['dietary_vitamin_d', 'g'], 36: ['dietary_vitamin_e', 'g'], 37: ['dietary_vitamin_k', 'g'], 38: ['dietary_calcium', 'g'], 39: ['dietary_iron', 'g'],
  40: ['dietary_thiamin', 'g'], 41: ['dietary_riboflavin', 'g'], 42: ['dietary_niacin', 'g'], 43: ['dietary_folate', 'g'], 44: ['dietary_biotin', 'g'],
  45: ['dietary_pantothenic_acid', 'g'], 46: ['dietary_phosphorus', 'g'], 47: ['dietary_iodine', 'g'], 48: ['dietary_magnesium', 'g'], 49: ['dietary_zinc', 'g'],
  50: ['dietary_selenium', 'g'], 51: ['dietary_copper', 'g'], 52: ['dietary_manganese', 'g'], 53: ['dietary_chromium', 'g'], 54: ['dietary_molybdenum', 'g'],
  55: ['dietary_chloride', 'g'], 56: ['dietary_potassium', 'g'], 57: ['number_of_times_fallen', 'count'], 58: ['electrodermal_activity', 'S'],
  60: ['inhaler_usage', 'count'], 61: ['respiratory_rate', 'bpm'], 62: ['body_temperature', 'degC'], 71: ['forced_vital_capacity', 'L'],
  72: ['forced_expiratory_volume_1', 'L'], 73: ['peak_expiratory_flow_rate', 'L/min'], 75: ['apple_exercise_time', 'min'], 78: ['dietary_caffeine', 'g'],
  83: ['distance_cycling', 'm'], 87: ['dietary_water', 'mL'], 89: ['uv_exposure', 'count'], 90: ['basal_body_temperature', 'degC'], 101: ['push_count', 'count'],
  110: ['distance_swimming', 'm'], 111: ['swimming_stroke_count', 'count'], 113: ['distance_wheelchair', 'm'], 114: ['waist_circumference', 'm'],
  118: ['resting_heart_rate', 'bpm'], 124: ['vo2_max', 'mL/kg/min'], 125: ['insulin_delivery', 'IU'], 137: ['walking_heart_rate_average', 'bpm'],
  138: ['distance_downhill_snow_sports', 'm'], 139: ['heart_rate_variability_sdnn', 'ms'], 172: ['environmental_audio_exposure', 'dBASPL'],
  173: ['headphone_audio_exposure', 'dBASPL'], 182: ['walking_double_support_percentage', '%'], 183: ['six_minute_walk_test_distance', 'm'],
  186: ['apple_stand_time', 'min'], 187: ['walking_speed', 'm/s'], 188: ['walking_step_length', 'm'], 194: ['walking_asymmetry_percentage', '%'],
  195: ['stair_ascent_speed', 'm/s'], 196: ['stair_descent_speed', 'm/s'], 248: ['atrial_fibrillation_burden', '%'], 249: ['apple_walking_steadiness', '%'],
  251: ['number_of_alcoholic_beverages', 'count'], 258: ['running_stride_length', 'm'], 259: ['running_vertical_oscillation', 'm'],
  260: ['running_ground_contact_time', 'ms'], 266: ['heart_rate_recovery_one_minute', 'bpm'], 269: ['underwater_depth', 'm'], 270: ['running_power', 'W'],
};

/** Categories: what `category_samples.value` counts. */
export const CATEGORIES: Readonly<Record<number, string>> = {
  63: 'sleep_analysis', 70: 'apple_stand_hour', 91: 'cervical_mucus_quality', 92: 'ovulation_test_result', 95: 'menstrual_flow', 96: 'intermenstrual_bleeding',
  97: 'sexual_activity', 99: 'mindful_session', 147: 'low_heart_rate_event', 178: 'audio_exposure_event', 189: 'toothbrushing_event', 191: 'pregnancy', 192: 'lactation',
  193: 'contraceptive', 237: 'handwashing_event', 243: 'pregnancy_test_result',
};

/** Categories that say how bad a symptom is: HKCategoryValueSeverity. */
export const SYMPTOMS: Readonly<Record<number, string>> = {
  157: 'abdominal_cramps', 158: 'breast_pain', 159: 'bloating', 160: 'headache', 161: 'acne', 162: 'lower_back_pain', 163: 'pelvic_pain', 164: 'mood_changes',
  165: 'constipation', 166: 'diarrhea', 167: 'fatigue', 168: 'nausea', 169: 'sleep_changes', 170: 'appetite_changes', 171: 'hot_flashes',
  201: 'rapid_pounding_or_fluttering_heartbeat', 202: 'skipped_heartbeat', 203: 'fever', 204: 'shortness_of_breath', 205: 'chest_tightness_or_pain', 206: 'fainting',
  207: 'dizziness', 220: 'vomiting', 221: 'heartburn', 222: 'coughing', 223: 'wheezing', 224: 'sore_throat', 225: 'sinus_congestion', 226: 'runny_nose',
  229: 'vaginal_dryness', 230: 'night_sweats', 231: 'chills', 232: 'hair_loss', 233: 'dry_skin', 234: 'bladder_incontinence', 235: 'memory_lapse',
  240: 'generalized_body_ache', 241: 'loss_of_smell', 242: 'loss_of_taste',
};

/** Values of categories that are not severities: HKCategoryValue* of HealthKit's documentation. */
export const MEANINGS: Readonly<Record<string, readonly string[]>> = {
  sleep_analysis: ['in_bed', 'asleep', 'awake', 'asleep_core', 'asleep_deep', 'asleep_rem'], apple_stand_hour: ['stood', 'idle'], menstrual_flow: ['', 'unspecified', 'light', 'medium', 'heavy', 'none'],
  ovulation_test_result: ['', 'negative', 'luteinizing_hormone_surge', 'indeterminate', 'estrogen_surge'], pregnancy_test_result: ['', 'negative', 'positive', 'indeterminate'],
  cervical_mucus_quality: ['', 'dry', 'sticky', 'creamy', 'watery', 'egg_white'], appetite_changes: ['unspecified', 'no_change', 'decreased', 'increased'],
};
export const SEVERITIES: readonly string[] = ['unspecified', 'not_present', 'mild', 'moderate', 'severe'];
/** Two symptoms are only there or not: HKCategoryValuePresence. */
export const PRESENCES: Readonly<Record<string, readonly string[]>> = { mood_changes: ['present', 'not_present'], sleep_changes: ['present', 'not_present'] };

/** HKWorkoutActivityType of HealthKit's documentation, the usual ones. */
export const WORKOUTS: Readonly<Record<number, string>> = {
  13: 'cycling', 14: 'dance', 16: 'elliptical', 20: 'functional_strength_training', 24: 'hiking', 35: 'rowing', 37: 'running', 44: 'stairs', 46: 'swimming', 48: 'tennis', 50: 'traditional_strength_training', 52: 'walking', 57: 'yoga', 59: 'core_training',
  61: 'downhill_skiing', 63: 'high_intensity_interval_training', 66: 'pilates', 71: 'wheelchair_run_pace', 3000: 'other',
};
/** HKElectrocardiogram.Classification. */
export const ECG_CLASSES: readonly string[] = ['not_set', 'sinus_rhythm', 'atrial_fibrillation', 'inconclusive_low_heart_rate', 'inconclusive_high_heart_rate', 'inconclusive_poor_reading', 'inconclusive_other'];
