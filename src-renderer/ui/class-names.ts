/** Joins class names and skips falsy values: `classNames('chip', on && 'chip-on')`. */
export const classNames = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ');
