/** The name of a type in words: `body_mass` → "Body mass", unless the catalogue knows better. */
export const typeName = (type: string): string => { const text = type.replace(/_/g, ' '); return text.charAt(0).toUpperCase() + text.slice(1); };
