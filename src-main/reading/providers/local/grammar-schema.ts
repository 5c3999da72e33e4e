type Schema = Readonly<Record<string, unknown>>;

/**
 * A JSON Schema in the words that node-llama-cpp makes grammars from: `anyOf` is `oneOf` there, every property is
 * required, and what describes a value is left out, since a grammar has no use for it.
 */
export function grammarSchemaOf(schema: Schema): Schema {
  const { anyOf, type, enum: choices, properties, items } = schema;
  if (Array.isArray(anyOf)) return { oneOf: anyOf.map((choice: Schema) => grammarSchemaOf(choice)) };
  if (Array.isArray(choices)) return { enum: choices };
  if ('const' in schema) return { const: schema['const'] };
  if (type === 'array') return { type, items: grammarSchemaOf((items ?? {}) as Schema) };
  if (type !== 'object') return { type };
  const fields = Object.entries((properties ?? {}) as Record<string, Schema>);
  return { type, properties: Object.fromEntries(fields.map(([name, field]) => [name, grammarSchemaOf(field)])) };
}
