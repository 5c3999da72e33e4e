/** Joins class names, leaving out what is false or absent: `classNames('chip', on && 'chip-on')`. */
export const classNames = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ');
