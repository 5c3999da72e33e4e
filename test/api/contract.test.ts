import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NO_QUERY, type Endpoint } from '../../src-shared/contract/endpoint.ts';
import { ERRORS, type ErrorCode } from '../../src-shared/contract/errors.ts';
import { fieldError } from '../../src-shared/contract/field-errors.ts';
import { impliedErrors } from '../../src-shared/contract/implied-errors.ts';
import { contract } from '../../src-shared/contract/index.ts';
import { liveMessage } from '../../src-shared/contract/live.ts';
import type { Household } from '../support/household.ts';
import { inDepth } from '../support/depth.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import { BAD_BODIES, BAD_FIELDS, BAD_QUERY, BAD_SEGMENTS, BROKEN_BODIES } from './bad-values.ts';
import type { Example } from './example-makers.ts';
import { EXAMPLES } from './examples.ts';
import { send, type Sent } from './send.ts';
import { UNAUDITED_CHANGES } from './unaudited-changes.ts';

const ROUTES = Object.values(contract).flatMap((area) =>
  Object.values<Endpoint>(area).map((one): [string, Endpoint] => [`${one.method} ${one.path}`, one]),
);
const errorBody = z.strictObject({
  detail: z.string().min(10),
  code: z.enum(Object.keys(ERRORS) as [ErrorCode]),
  params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  issues: z.array(fieldError.strict()).min(1).optional(),
});
/** Not a fault: what a household has not set up is not available, and others may be silent. */
const NOT_OURS = /^(?:share\.translation_unavailable|model\.not_set_up|ticker\.(?:device_silent|source_failed))$/;
/** Of every endpoint: an address that Express itself cannot take apart. */
const ALWAYS: ErrorCode[] = ['request.not_found', 'request.malformed'];

let household: Household;
const test = base.override('serveOptions', WITHOUT_INBOX);

test.beforeAll(async ({ household: records }) => {
  household = records;
});

function exampleOf(route: string): (household: Household) => Example {
  const example = EXAMPLES[route];
  if (!example)
    throw new Error(`${route} has no valid call in examples.ts: add one, and a row in access-matrix.table.ts`);
  return example;
}

/**
 * Valid calls of an endpoint: a new one after each call that succeeded, because one that is refused changes nothing.
 */
function examplesOf(route: string): { next(): Example; tried({ status }: Sent): void } {
  let example: Example | null = null;
  return {
    next: () => (example ??= exampleOf(route)(household)),
    tried({ status }) {
      if (status < 400) example = null;
    },
  };
}

const call = (
  endpoint: Endpoint,
  path: string,
  rest: Omit<Example, 'path'>,
  headers?: Record<string, string>,
): Promise<Sent> => send(household.as('keeper'), endpoint.method, path, rest, headers);
function statusesOf({ status, statuses, reply }: Endpoint): number[] {
  if (typeof status === 'function') return [...(statuses ?? [200, 201])];
  if (typeof status === 'number') return [status];
  if (reply === 'empty') return [204];
  return [reply === 'redirect' ? 302 : 200];
}

/** Every twelfth value, others for some fields, so that all come up; each of each field in the deep tests. */
const someOf = <T>(values: readonly T[], field: string): readonly T[] =>
  inDepth(
    values.filter((_, index) => index % 12 === field.length % 12),
    values,
  );

/** Success as it is declared, to the field. */
function expectReply(endpoint: Endpoint, { status, headers, text }: Sent, label: string): void {
  expect(statusesOf(endpoint), `${label}: ${status} ${text.slice(0, 300)}`).toContain(status);
  if (endpoint.reply === 'empty' || endpoint.reply === 'redirect') return expect(text, label).toBe('');
  if (endpoint.reply === 'bytes')
    return expect(
      [
        text.length > 0,
        headers.get('x-content-type-options'),
        headers.get('etag') ?? headers.get('content-disposition'),
      ],
      label,
    ).toEqual([true, 'nosniff', expect.any(String)]);
  if (endpoint.reply === 'live') {
    const first = /^data: (.*)$/m.exec(text)?.[1] ?? '';
    return expect(liveMessage.safeParse(JSON.parse(first)).error, label).toBeUndefined();
  }
  const body: unknown = JSON.parse(text);
  const parsed = endpoint.reply.safeParse(body);
  expect(parsed.error?.issues, label).toBeUndefined();
  expect(body, `${label} answers fields that are not declared`).toEqual(parsed.data);
}

/** An error as it is declared: its shape, its status, and a code of this endpoint. */
function expectError(endpoint: Endpoint, { status, text }: Sent, label: string): ErrorCode {
  const parsed = errorBody.safeParse(text.startsWith('{') ? JSON.parse(text) : text);
  if (!parsed.success)
    throw new Error(`${label} answers ${status} without the shape of an error: ${text.slice(0, 200)}`);
  const { code } = parsed.data;
  expect(status, label).toBe(ERRORS[code].status);
  if (!NOT_OURS.test(code)) expect(status, `${label}: ${text}`).toBeLessThan(500);
  expect(
    [...impliedErrors(endpoint), ...(endpoint.errors ?? []), ...ALWAYS],
    `${label} answers ${code}, which ${endpoint.path} does not declare`,
  ).toContain(code);
  expect(text, label).not.toMatch(/node_modules|SQLITE|\bat \S+:\d+|\/tmp\/|\/home\//);
  return code;
}

/** What the schema refuses must be refused; what it takes may succeed or be refused by a declared code. */
function expectAnswer(endpoint: Endpoint, sent: Sent, fits: boolean, label: string): void {
  if (sent.status < 400) {
    expect(fits, `${label} does not fit the schema, but was answered ${sent.status}`).toBe(true);
    return expectReply(endpoint, sent, label);
  }
  const code = expectError(endpoint, sent, label);
  if (!fits && code !== 'auth.rate_limited') expect(code, label).toBe('request.invalid');
}

/** Who makes the valid call of an endpoint, for the audit log. */
function callerOf({ access }: Endpoint): unknown {
  if (access === 'recipient') return null;
  return access === 'public' ? expect.any(Number) : household.ids.keeper;
}

const codesSince = (id: number): unknown =>
  household.db.prepare("SELECT count(*) FROM audit_log WHERE id > ? AND action = 'otp_request'").pluck().get(id);

/** Of a call that failed: nothing, or that it was refused. */
const refused = (traces: { action: string }[]): unknown[] =>
  traces.map(() => expect.objectContaining({ action: 'http.error' }));

type Json = {
  type?: string;
  properties?: Record<string, Json>;
  items?: Json;
  anyOf?: Json[];
  oneOf?: Json[];
  allOf?: Json[];
  additionalProperties?: unknown;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  enum?: unknown;
  const?: unknown;
};
const inputOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;

const short = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 60);
const fits = (schema: z.ZodType | undefined, value: unknown): boolean =>
  schema === undefined || schema.safeParse(value).success;

describe('every endpoint', () => {
  it.each(ROUTES)('%s responds to a valid call as declared, and audits it as declared', async (route, endpoint) => {
    const { path, answers, ...rest } = exampleOf(route)(household);
    const newest = household.db.prepare('SELECT coalesce(max(id), 0) FROM audit_log').pluck().get() as number;
    const sent = await call(endpoint, path, rest);
    // A code is made after the answer, whose time would tell otherwise whether there is such a share.
    if (route === 'POST /api/share/{token}/request-otp') await expect.poll(() => codesSince(newest)).toBe(1);
    // What recipients do depends on their share; it is declared only where it always happens.
    const traces = household.db
      .prepare(
        "SELECT action, user_id, ip_address FROM audit_log WHERE id > ? AND (resource_type <> 'share_access' OR ?)",
      )
      .all(newest, endpoint.audit ? 1 : 0) as { action: string; user_id: number }[];
    const who = callerOf(endpoint);
    const written = endpoint.audit ? [{ action: endpoint.audit, user_id: who, ip_address: '127.0.0.1' }] : [];
    expect(traces, `the audit log after ${route}`).toEqual(answers ? refused(traces) : written);
    if (answers) expect(expectError(endpoint, sent, route)).toBe(answers);
    else expectReply(endpoint, sent, route);
  });

  it.each(ROUTES.filter(([, { path }]) => path.includes('{')))('%s rejects invalid paths', async (route, endpoint) => {
    const template = endpoint.path.split('/');
    const examples = examplesOf(route);
    for (const [index, segment] of template.entries()) {
      if (!segment.startsWith('{')) continue;
      for (const bad of BAD_SEGMENTS) {
        const { path, ...rest } = examples.next();
        const [address = '', query] = path.split('?');
        const sent = await call(
          endpoint,
          address
            .split('/')
            .map((part, i) => (i === index ? bad : part))
            .join('/') + (query ? `?${query}` : ''),
          rest,
        );
        examples.tried(sent);
        const label = `${route} with ${segment} = ${bad.slice(0, 40)}`;
        if (sent.status < 400) expectReply(endpoint, sent, label);
        else expectError(endpoint, sent, label);
        const shape = endpoint.params?.shape[segment.slice(1, -1)] as z.ZodType | undefined;
        if (!/%(?![0-9a-f]{2})|%ff/i.test(bad) && !fits(shape, decodeURIComponent(bad)))
          expect([404, 422], label).toContain(sent.status);
      }
    }
  });

  it.each(ROUTES)('%s rejects invalid queries', async (route, endpoint) => {
    const examples = examplesOf(route);
    for (const name of [...Object.keys(endpoint.query?.shape ?? {}), 'undeclared']) {
      for (const bad of someOf(BAD_QUERY, name)) {
        const { path, answers: _answers, ...rest } = examples.next();
        const [address = '', query = ''] = path.split('?');
        const fields = new URLSearchParams(query);
        fields.set(name, bad);
        const sent = await call(endpoint, `${address}?${fields.toString()}`, rest);
        examples.tried(sent);
        const given = Object.fromEntries([...fields].filter(([key, value]) => value !== '' || key === 'undeclared'));
        expectAnswer(
          endpoint,
          sent,
          fits(endpoint.query ?? NO_QUERY, given),
          `${route} with ?${name}=${bad.slice(0, 40)}`,
        );
      }
    }
  });

  it.each(ROUTES.filter(([, { body }]) => body))('%s rejects invalid bodies', async (route, endpoint) => {
    const examples = examplesOf(route);
    const tried = async (sent: Promise<Sent>): Promise<Sent> => {
      examples.tried(await sent);
      return sent;
    };
    // Also of the fields that the valid call leaves out.
    const names = [
      ...new Set([
        ...Object.keys((examples.next().body ?? {}) as object),
        ...Object.keys(inputOf(endpoint.body!).properties ?? {}),
      ]),
    ];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      for (const bad of someOf([undefined, ...BAD_FIELDS], name)) {
        const { path, body, cookie = '' } = examples.next();
        const changed = { ...(body as object), [name]: bad };
        expectAnswer(
          endpoint,
          await tried(call(endpoint, path, { body: changed, cookie })),
          fits(endpoint.body, JSON.parse(JSON.stringify(changed))),
          `${route} with ${name} = ${short(bad)}`,
        );
      }
    }
    for (const bad of BAD_BODIES) {
      const { path, cookie = '' } = examples.next();
      // Express takes objects and lists only, as RFC 8259 allows; a bare value cannot be read.
      const sent = await tried(call(endpoint, path, { body: JSON.stringify(bad), cookie }));
      if (typeof bad !== 'object' || bad === null)
        expect(expectError(endpoint, sent, `${route} with ${short(bad)}`)).toBe('request.malformed');
      else expectAnswer(endpoint, sent, fits(endpoint.body, bad), `${route} with the body ${short(bad)}`);
    }
    for (const [name, type, text] of BROKEN_BODIES) {
      const { path, cookie = '' } = examples.next();
      expect([
        name,
        expectError(endpoint, await call(endpoint, path, { body: text, cookie }, { 'content-type': type }), route),
      ]).toEqual([name, 'request.malformed']);
    }
    const { path, body, cookie = '' } = examples.next();
    const asText = await call(endpoint, path, { body: JSON.stringify(body), cookie }, { 'content-type': 'text/plain' });
    expect(['request.invalid', 'request.malformed'], `${route} reads JSON that says it is text`).toContain(
      expectError(endpoint, asText, route),
    );
    const depth = inDepth(20_000, 100_000);
    const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    for (const text of [
      deep,
      `{"${names[0] ?? 'a'}":${deep}}`,
      `{"__proto__":{"role":"admin"},"constructor":{"prototype":{}}}`,
    ]) {
      expect(
        expectError(endpoint, await call(endpoint, path, { body: text, cookie }), `${route} with ${text.slice(0, 30)}`),
      ).toBe('request.invalid');
    }
    const tooLarge = await call(endpoint, path, { body: JSON.stringify({ a: 'x'.repeat(1_100_000) }), cookie });
    expect(expectError(endpoint, tooLarge, route)).toBe('request.too_large');
  });

  it.each(ROUTES.filter(([, { method }]) => method === 'GET'))(
    '%s responds to HEAD without a body and without an audit entry',
    async (route, endpoint) => {
      const { path, answers, cookie = '' } = exampleOf(route)(household);
      const newest = household.db.prepare('SELECT count(*) FROM audit_log').pluck().get() as number;
      const { status, text } = await send(household.as('keeper'), 'HEAD', path, { cookie });
      expect([status, text]).toEqual([answers ? ERRORS[answers].status : statusesOf(endpoint)[0], '']);
      expect(
        household.db.prepare("SELECT count(*) FROM audit_log WHERE action <> 'http.error'").pluck().get(),
      ).toBeLessThanOrEqual(newest);
    },
  );

  it('rejects other methods', async () => {
    for (const path of new Set(ROUTES.map(([, endpoint]) => endpoint.path))) {
      const known = new Set(
        ROUTES.filter(([, endpoint]) => endpoint.path === path).map(([, endpoint]) => endpoint.method),
      );
      const method = (['DELETE', 'PUT', 'PATCH', 'POST'] as const).find((candidate) => !known.has(candidate)) ?? 'POST';
      if (known.has(method)) continue;
      const { status, text } = await send(household.as('keeper'), method, path.replaceAll(/\{\w+\}/g, '1'), {});
      // Another template may take the same address: PATCH /documents/failed is a document's.
      expect([404, 405, 422], `${method} ${path}: ${text}`).toContain(status);
    }
  });
});

describe('the declarations of the endpoints', () => {
  /** Every node of a schema with its path. */
  function* nodes(node: Json, at: string): Generator<[string, Json]> {
    yield [at, node];
    for (const [name, child] of Object.entries(node.properties ?? {})) yield* nodes(child, `${at}.${name}`);
    if (node.items) yield* nodes(node.items, `${at}[]`);
    for (const child of [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]) yield* nodes(child, at);
  }
  const inputs = ROUTES.flatMap(([route, { params, query, body }]) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]) =>
      schema ? [...nodes(inputOf(schema), `${route} ${part}`)] : [],
    ),
  );

  it('bound every text and every list', () => {
    const unbounded = inputs
      .filter(
        ([, { type, maxLength, pattern, format, enum: values, const: value }]) =>
          type === 'string' && maxLength === undefined && !pattern && !format && !values && value === undefined,
      )
      .map(([at]) => at);
    const endless = inputs
      .filter(([, { type, maxItems }]) => type === 'array' && maxItems === undefined)
      .map(([at]) => at);
    expect([unbounded, endless]).toEqual([[], []]);
    expect(inputs.length).toBeGreaterThan(100);
  });

  it('reject unknown fields of a body', () => {
    expect(
      inputs
        .filter(
          ([at, { type, additionalProperties }]) =>
            / body/.test(at) && type === 'object' && additionalProperties !== false,
        )
        .map(([at]) => at),
      // Settings of a device, which may know more of them than this version.
    ).toEqual(['POST /api/tickers/device/settings body.document']);
  });

  it('name the parameters of their paths, and each has its own address', () => {
    for (const [route, { path, params }] of ROUTES)
      expect([route, [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()]).toEqual([
        route,
        Object.keys(params?.shape ?? {}).sort(),
      ]);
    const addresses = ROUTES.map(([route]) => route.replaceAll(/\{\w+\}/g, '{}'));
    expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
  });

  it('audit reads only of whole files, of the token and by recipients, and every change but these', () => {
    expect(
      ROUTES.filter(([, { method, audit }]) => method === 'GET' && audit)
        .map(([, { audit }]) => audit)
        .sort(),
    ).toEqual([
      'backup.download',
      'document.download',
      'imaging.download',
      'imaging.download',
      'imaging.export',
      'token.view',
      'view_doc',
      'view_file',
      'view_file',
      'view_file',
      'view_text',
    ]);
    expect(
      ROUTES.filter(([, { method, audit, path }]) => method !== 'GET' && !audit && !path.startsWith('/api/share/'))
        .map(([route]) => route)
        .sort(),
    ).toEqual(UNAUDITED_CHANGES);
  });
});
