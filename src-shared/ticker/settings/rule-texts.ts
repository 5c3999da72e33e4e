import type { RuleCode, SettingProblem } from './check.ts';

/** Why a value does not fit, for the command line; the catalogues of the page have their own. */
const RULE_TEXTS: Readonly<Record<RuleCode, string>> = {
  flag: 'enter true or false',
  whole: 'enter a whole number from {{low}} to {{high}}',
  choice: 'choose one of {{choices}}',
  time: 'enter a time such as 22:00',
  text: 'enter at most {{characters}} characters and {{bytes}} bytes',
  empty: 'enter a text',
  host: 'enter letters, digits and hyphens, without a hyphen at either end',
  address: 'enter an address that begins with http:// or https://',
  repo: 'enter owner/name of a repository on GitHub',
  zone: 'enter a POSIX time zone such as CET-1CEST,M3.5.0,M10.5.0/3',
  secret: 'enter {{least}} to {{characters}} characters, or nothing',
  list: 'the device holds at most {{most}} of them',
  amount: 'enter a number of 0 or more',
  password_first: 'set a password first',
  document: 'the settings are longer than {{bytes}} bytes',
};

/** A problem as an English sentence without its setting. */
export function ruleText({ rule, params }: SettingProblem): string {
  return RULE_TEXTS[rule].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''));
}
