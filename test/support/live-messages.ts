import type { Client } from './client.ts';

/** A subscription to live messages. */
export interface LiveListener {
  /** The kinds of messages since it began. */
  kinds(): string[];
  stop(): Promise<void>;
}

/** Listens to the live messages of a user; resolves once the subscription is there. */
export async function listenLive(by: Client): Promise<LiveListener> {
  const gone = new AbortController();
  const response = await fetch(`${by.url}/api/pipeline/events`, {
    headers: { cookie: by.cookie },
    signal: gone.signal,
  });
  const heard: string[] = [];
  const reading = (async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts)
        if (part.startsWith('data:')) heard.push((JSON.parse(part.slice(5)) as { kind: string }).kind);
    }
  })().catch(() => undefined);
  return {
    kinds: () => [...heard],
    async stop() {
      gone.abort();
      await reading;
    },
  };
}
