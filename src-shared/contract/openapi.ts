import { z } from 'zod';
import { NO_QUERY, type Endpoint } from './endpoint.ts';
import { errorBody, ERRORS } from './errors.ts';
import { impliedErrors } from './implied-errors.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return json;
};

const parametersOf = (shape: z.ZodObject | undefined, place: 'path' | 'query'): Json[] =>
  Object.entries(shape?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || !(schema as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(schema as z.ZodType, 'input'),
  }));

function statusOf(e: Endpoint): number {
  if (typeof e.status === 'number') return e.status;
  if (e.reply === 'empty') return 204;
  if (e.reply === 'redirect') return 302;
  return typeof e.status === 'function' ? (e.statuses?.[0] ?? 201) : 200;
}

function contentOf(e: Endpoint): Json | undefined {
  if (e.reply === 'bytes') return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  if (e.reply === 'live') return { 'text/event-stream': { schema: { type: 'string' } } };
  if (e.reply === 'empty' || e.reply === 'redirect') return undefined;
  return {
    'application/json': { schema: schemaOf(e.reply, 'output') },
    ...(e.parts && { 'text/event-stream': { schema: { type: 'string' } } }),
  };
}

function replies(e: Endpoint): Json {
  const status = statusOf(e);
  const content = contentOf(e);
  const out: Json = { [status]: { description: e.summary, ...(content && { content }) } };
  if (typeof e.status === 'function')
    for (const other of e.statuses ?? [200])
      out[other] ??= { description: e.statuses ? e.summary : 'Nothing new was created.', ...(content && { content }) };
  const byStatus = Map.groupBy([...impliedErrors(e), ...(e.errors ?? [])], (code) => ERRORS[code].status);
  for (const [errorStatus, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    out[errorStatus] = {
      description: [...new Set(codes)].join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    };
  }
  return out;
}

function securityOf({ access }: Endpoint): Json[] {
  if (access === 'public') return [];
  if (access === 'token') return [{ token: [] }];
  if (access === 'recipient') return [{ share: [] }];
  if (access === 'viewer') return [{ viewer: [] }];
  return access === 'unlocked' ? [{ token: [], backup_session: [] }] : [{ session: [] }];
}

/** The content of a request: a file with the query as form data, or JSON, or either; undefined without a body. */
function bodyOf({ file, query, body }: Endpoint): Json | undefined {
  const json = body && { 'application/json': { schema: schemaOf(body, 'input') } };
  if (file) {
    const { properties: fields } = schemaOf(query ?? NO_QUERY, 'input');
    const properties = { [file]: { type: 'string', format: 'binary' }, ...(fields as Json) };
    const schema = { type: 'object', required: [file], properties, additionalProperties: false };
    return { 'multipart/form-data': { schema }, ...json };
  }
  return json;
}

function operation(area: string, name: string, e: Endpoint): Json {
  const parameters = [...parametersOf(e.params, 'path'), ...parametersOf(e.query, 'query')];
  const body = bodyOf(e);
  return {
    operationId: `${area}.${name}`,
    tags: [area],
    summary: e.summary,
    'x-access': e.access,
    ...(e.audit && { 'x-audit': e.audit }),
    security: securityOf(e),
    ...(parameters.length && { parameters }),
    ...(body && { requestBody: { required: !e.body?.safeParse(undefined).success, content: body } }),
    responses: replies(e),
  };
}

export interface ApiInfo {
  title: string;
  description: string;
  /** How a caller authenticates, by the name that operations use. */
  schemes: Record<
    string,
    { type: 'apiKey'; in: 'cookie' | 'header'; name: string } | { type: 'http'; scheme: 'bearer' }
  >;
}

/** Converts a table of the contract to an OpenAPI 3.1 document. */
export function openApi(
  table: Record<string, Record<string, Endpoint>>,
  { title, description, schemes }: ApiInfo,
): Json {
  const paths: Record<string, Json> = {};
  for (const [area, endpoints] of Object.entries(table)) {
    for (const [name, e] of Object.entries(endpoints))
      (paths[e.path] ??= {})[e.method.toLowerCase()] = operation(area, name, e);
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1', description },
    components: {
      securitySchemes: schemes,
      schemas: {
        Error: schemaOf(errorBody, 'output'),
      },
    },
    paths,
  };
}
