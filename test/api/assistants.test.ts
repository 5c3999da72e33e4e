import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectAssistant, sendToAssistantServer, type Assistant } from '../support/assistant.ts';
import type { Json } from '../support/client.ts';
import { openSampleRecord, type SampleRecord } from '../support/sample-record.ts';

/** The sample household without a core, and an assistant that stays connected. */
let sample: SampleRecord, assistant: Assistant;
beforeAll(async () => {
  sample = await openSampleRecord();
  assistant = await connectAssistant(sample.vault);
});
afterAll(async () => {
  await assistant.close();
  sample.remove();
});

const forget = (): void => void sample.db.sqlite.exec('DELETE FROM assistant_patients; DELETE FROM audit_log');
const allow = (...names: string[]): void => {
  for (const name of names)
    sample.db
      .prepare('INSERT INTO assistant_patients (patient_id, user_id, created_at) VALUES (?, ?, ?)')
      .run(sample.idOf(name), sample.user.userId, '2026-11-26T10:00:00');
};
interface Logged {
  action: string;
  details: Record<string, string>;
}
const logged = (): Logged[] =>
  sample.db
    .prepare('SELECT action, username, resource_id, details FROM audit_log ORDER BY id')
    .all()
    .map((row) => row as { action: string; details: string })
    .map((row) => ({ ...row, details: JSON.parse(row.details) as Logged['details'] }));
beforeEach(forget);

describe('hearth mcp', () => {
  it('offers the functions of Ask, all of them read-only', async () => {
    const { tools } = await assistant.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['people', 'results', 'medicines_now', 'medicines', 'diagnoses', 'vaccinations', 'stays', 'events'],
      ...['appointments', 'costs', 'documents', 'changes', 'passages'],
    ]);
    for (const { annotations, inputSchema, outputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema).toBeDefined();
    }
  });

  it('reads nobody’s record until an owner allows it, and says where', async () => {
    for (const tool of ['people', 'results', 'documents']) {
      const { isError, text } = await assistant.call(tool, {});
      expect([isError, text]).toEqual([true, expect.stringContaining('Settings › Assistants')]);
    }
    expect(logged().map(({ action, details }) => [action, details.tool, details.program])).toEqual([
      ['assistant.refused', 'people', 'test assistant 1.0'],
      ['assistant.refused', 'results', 'test assistant 1.0'],
      ['assistant.refused', 'documents', 'test assistant 1.0'],
    ]);
  });

  it('returns values with the document, the page and the printed words', async () => {
    allow('Claire');
    const { body } = await assistant.call('results', { names: ['TSH'], pick: 'last' });
    expect(body).toMatchObject({ person: expect.stringMatching(/^Claire /), total: 1, left_out: 0 });
    expect(body.rows).toEqual([
      expect.objectContaining({
        ...{ test: expect.any(String), value: expect.stringMatching(/^\d/), unit: 'mU/L', may_be_misread: false },
        source: expect.objectContaining({
          ...{ document_id: expect.any(Number), page: 1, quote: expect.stringContaining('TSH') },
        }),
      }),
    ]);
  });

  it('finds in each function what the record has', async () => {
    allow('Claire');
    for (const [tool, given] of [
      ['medicines_now', {}],
      ['medicines', { shape: 'first' }],
      ['diagnoses', {}],
      ['documents', { document_type: 'lab_test' }],
      ['changes', { from: '2020-01-01' }],
      ['passages', { names: ['Schilddrüse'] }],
    ] as const) {
      const { isError, body, text } = await assistant.call(tool, given);
      expect([tool, isError, body?.rows.length > 0, JSON.parse(text)]).toEqual([tool, false, true, body]);
      expect(body.rows.every((row: Json) => row.source.document_id > 0)).toBe(true);
    }
  });

  it('writes each call to the audit log, on behalf of the owner who allowed it', async () => {
    allow('Claire');
    await assistant.call('diagnoses', { names: ['Hashimoto'] });
    expect(logged()).toEqual([
      {
        ...{ action: 'assistant.read', username: 'demo', resource_id: String(sample.idOf('Claire')) },
        // Neither what was asked nor what was found: administrators who may not see the record read the log.
        details: { tool: 'diagnoses', program: 'test assistant 1.0' },
      },
    ]);
  });

  it('reaches no other person, by whatever name, id or statement', async () => {
    allow('Claire');
    const others = sample.db
      .prepare("SELECT id, display_name FROM patients WHERE display_name NOT LIKE 'Claire %'")
      .all() as { id: number; display_name: string }[];
    expect(others.length).toBeGreaterThan(1);
    for (const person of [
      ...others.flatMap(({ id, display_name }) => [display_name, display_name.split(' ')[0], String(id)]),
      ...['1 OR 1=1', "' UNION SELECT * FROM users --", '*', '%', '__proto__', '9007199254740993', '-1'],
    ]) {
      const { isError, text } = await assistant.call('results', { person });
      expect([person, isError, text]).toEqual([person, true, expect.stringContaining('Call `people`')]);
    }
    const { body } = await assistant.call('people');
    expect(body.people.map(({ name }: { name: string }) => name.split(' ')[0])).toEqual(['Claire']);
    const names = others.map(({ display_name }) => display_name.split(' ')[0]);
    const passages = await assistant.call('passages', { names });
    expect(passages.body.rows.every(({ document_id }: Json) => ownerOf(document_id) === sample.idOf('Claire'))).toBe(
      true,
    );
  });

  it('asks whom, if several may be read', async () => {
    allow('Claire', 'Nora');
    expect((await assistant.call('documents')).text).toContain('Name the person');
    const byName = await assistant.call('documents', { person: 'nora' });
    const byId = await assistant.call('documents', { person: String(sample.idOf('Nora')) });
    expect(byName.body.person).toMatch(/^Nora /);
    expect(byId.body).toEqual(byName.body);
  });

  it('loses a person at the next call: revoked, no longer owned, or of a user who may only look', async () => {
    const losses: [string, string][] = [
      ['DELETE FROM assistant_patients', ''],
      ["UPDATE patient_access SET role = 'viewer'", "UPDATE patient_access SET role = 'owner'"],
      ["UPDATE users SET role = 'viewer'", "UPDATE users SET role = 'admin'"],
    ];
    for (const [lose, restore] of losses) {
      forget();
      allow('Claire');
      expect((await assistant.call('documents')).isError).toBe(false);
      sample.db.sqlite.exec(lose);
      expect([lose, await assistant.call('documents')]).toEqual([lose, expect.objectContaining({ isError: true })]);
      sample.db.sqlite.exec(restore);
    }
  });

  it('does not read documents whose patient is undecided', async () => {
    allow('Claire');
    const { body } = await assistant.call('documents', { document_type: 'lab_test' });
    const { document_id: id } = body.rows[0];
    sample.db.prepare("UPDATE documents SET patient_id = NULL, status = 'needs_review' WHERE id = ?").run(id);
    const after = await assistant.call('documents', { document_type: 'lab_test' });
    expect(after.body.total).toBe(body.total - 1);
    expect(JSON.stringify(after.body)).not.toContain(`"document_id":${id},`);
    sample.db
      .prepare("UPDATE documents SET patient_id = ?, status = 'completed' WHERE id = ?")
      .run(sample.idOf('Claire'), id);
  });

  it('refuses functions and arguments that it does not have, and goes on', async () => {
    allow('Claire');
    for (const [tool, given] of [
      ['query', { sql: 'SELECT * FROM users' }],
      ['__proto__', {}],
      ['results', { sql: 'SELECT 1' }],
      ['results', { names: 'TSH' }],
      ['results', { names: Array.from({ length: 7 }, () => 'TSH') }],
      ['results', { names: ['x'.repeat(81)] }],
      ['results', { pick: 'all; DROP TABLE patients' }],
      ['results', { from: '2026-02-30' }],
      ['passages', { names: [] }],
      ['documents', { person: 'x'.repeat(100_000) }],
      ['documents', { names: Array.from({ length: 20_000 }, () => 'a') }],
    ] as const)
      expect([tool, given, await assistant.call(tool, given)]).toEqual([
        ...[tool, given, expect.objectContaining({ isError: true })],
      ]);
    const found = await assistant.call('passages', { names: ['") OR documents_fts MATCH ("a', "'; DROP TABLE users"] });
    expect(found.body.rows).toEqual([]);
    expect((await assistant.call('people')).isError).toBe(false);
    expect(assistant.faults).toEqual([]);
  });

  it('answers two programs at once', async () => {
    allow('Claire');
    const other = await connectAssistant(sample.vault, 'second');
    const asked = [assistant, other, assistant, other].map((one) => one.call('diagnoses'));
    const bodies = (await Promise.all(asked)).map(({ body }) => JSON.stringify(body));
    await other.close();
    expect(new Set(bodies).size).toBe(1);
    expect(
      logged()
        .map(({ details }) => details.program)
        .toSorted(),
    ).toEqual([...['second 1.0', 'second 1.0', 'test assistant 1.0', 'test assistant 1.0']]);
  });

  it('writes nothing but the protocol to its output, answers broken JSON, and ends with its input', async () => {
    const hello = {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    };
    const { lines, code } = await sendToAssistantServer(
      sample.vault,
      `${JSON.stringify(hello)}\n{"jsonrpc": \n[1,2]\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n`,
    );
    expect(lines.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error?.code])).toEqual([
      ...[
        [null, -32_700],
        [null, -32_700],
      ],
      ...[
        [1, undefined],
        [2, undefined],
      ],
    ]);
    expect(code).toBe(0);
  });

  it('ends at a message without end', async () => {
    const { lines, errors, code } = await sendToAssistantServer(sample.vault, '{"a":"'.padEnd(3_000_000, 'x'));
    expect([lines, code]).toEqual([[], 1]);
    expect(errors).toContain('could not be read');
  });

  it('needs a vault', async () => {
    const { errors, code } = await sendToAssistantServer(`${sample.vault}-none`, '');
    expect([errors, code]).toEqual([expect.stringContaining('There is no vault in'), 1]);
  });
});

const ownerOf = (documentId: number): unknown =>
  sample.db.prepare('SELECT patient_id FROM documents WHERE id = ?').pluck().get(documentId);
