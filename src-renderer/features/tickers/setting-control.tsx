import { useTranslation } from 'react-i18next';
import { type SettingProblem, valueAt } from '../../../src-shared/ticker/settings/check.ts';
import { type Rule, SETTING_FIELDS, type SettingPath } from '../../../src-shared/ticker/settings/fields.ts';
import { Checkbox, Field, Input, Select } from '../../ui/field.tsx';

/** What all controls of a form of settings need. */
export interface SettingsForm {
  settings: object;
  problems: readonly SettingProblem[];
  change: (path: string, value: unknown) => void;
}

type Texts = ReturnType<typeof useTranslation<'tickers'>>['t'];

/** The name of a setting for people. */
export const settingName = (t: Texts, path: string): string => t(`setting.${path.replaceAll('.', '_') as 'hostname'}`);

/** Why a value does not fit, in words; undefined if it does. */
export function useProblem({ problems }: SettingsForm): (path: string) => string | undefined {
  const { t } = useTranslation('tickers');
  return (path) => {
    const problem = problems.find((one) => one.path === path);
    return problem && t(`rule.${problem.rule}`, problem.params);
  };
}

/** The control for one setting, by its rule. */
export function SettingControl({ path, form }: { path: SettingPath; form: SettingsForm }) {
  const { t } = useTranslation('tickers');
  const problemOf = useProblem(form);
  const rule: Rule = SETTING_FIELDS[path];
  const value = valueAt(form.settings, path);
  const label = settingName(t, path);
  if (rule.kind === 'flag')
    return (
      <Checkbox label={label} checked={value === true} onChange={({ target }) => form.change(path, target.checked)} />
    );
  if (path === 'rotation') return <RotationControl form={form} />;
  const isSet = rule.kind === 'secret' && valueAt(form.settings, `${path}Set`) === true;
  return (
    <Field label={label} error={problemOf(path)} hint={isSet ? t('secret_set') : undefined}>
      {(control) =>
        rule.kind === 'choice' ? (
          <Select
            {...control}
            value={String(value)}
            options={rule.choices.map((choice) => ({ value: choice, label: choiceName(t, path, choice) }))}
            onChange={({ target }) => form.change(path, target.value)}
          />
        ) : (
          <Input
            {...control}
            {...inputOf(rule)}
            value={value === undefined ? '' : String(value)}
            onChange={({ target }) => form.change(path, valueOf(rule, target.value))}
          />
        )
      }
    </Field>
  );
}

/** A number for the device, an angle for people. */
function RotationControl({ form }: { form: SettingsForm }) {
  const { t } = useTranslation('tickers');
  const problemOf = useProblem(form);
  return (
    <Field label={settingName(t, 'rotation')} error={problemOf('rotation')}>
      {(control) => (
        <Select
          {...control}
          value={String(valueAt(form.settings, 'rotation'))}
          options={[0, 1, 2, 3].map((turns) => ({ value: String(turns), label: t('degrees', { angle: turns * 90 }) }))}
          onChange={({ target }) => form.change('rotation', Number(target.value))}
        />
      )}
    </Field>
  );
}

function choiceName(t: Texts, path: SettingPath, choice: string): string {
  return path === 'mode' ? t(`mode_${choice as 'stocks'}`) : t(`choice.${choice as 'auto'}`);
}

function inputOf(rule: Rule): { type?: string; inputMode?: 'numeric' | 'url'; autoComplete?: string } {
  if (rule.kind === 'time') return { type: 'time' };
  if (rule.kind === 'whole') return { inputMode: 'numeric' };
  if (rule.kind === 'secret') return { type: 'password', autoComplete: 'new-password' };
  return rule.kind === 'address' ? { inputMode: 'url' } : {};
}

/** A number where a number is wanted; what is none stays as it was typed, and is refused. */
function valueOf(rule: Rule, text: string): unknown {
  return rule.kind === 'whole' && /^-?\d+$/.test(text.trim()) ? Number(text) : text;
}
