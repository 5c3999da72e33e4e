import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** A reply to a request that was built by hand. */
export interface RawReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The error code of the body. */
  code: string | undefined;
}

/** Sends a request with exactly these headers, as a browser or an attacker would. */
export function sendRequest(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string | string[]> = {},
  body = '',
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: {
          host: `127.0.0.1:${port}`,
          ...(body && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
        agent: false,
      },
      (incoming) => {
        let text = '';
        incoming
          .setEncoding('utf8')
          .on('data', (chunk: string) => {
            text += chunk;
          })
          .on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text,
              code: /"code":"([\w.]+)"/.exec(text)?.[1],
            }),
          );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Sends bytes that no HTTP library would send, and returns what the server writes until it closes. */
export function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket
      .on('data', (chunk) => {
        text += chunk.toString();
      })
      .on('close', () => resolve(text))
      .on('error', () => resolve(text))
      .setTimeout(5000, () => socket.destroy());
  });
}
