/**
 * Stands in for `cloudflared tunnel --url …`: prints what version 2024.12 prints, to stderr and in the same format. Its
 * first argument is a file that says what it does, by the words in it: `refused` gets no name, `silent` prints nothing,
 * `renamed` gets another name, `lost` loses its connection while a file FILE.lost exists. FILE.args gets the other arguments.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const [control = '', ...args] = process.argv.slice(2);
const orders = readFileSync(control, 'utf8');
writeFileSync(`${control}.args`, JSON.stringify(args));

const print = (level: string, text: string): void =>
  void process.stderr.write(`${new Date().toISOString().slice(0, 19)}Z ${level} ${text}\n`);
const registered = (): void =>
  print(
    'INF',
    'Registered tunnel connection connIndex=0 connection=4e3b1f0a-9d0c-4c52-8f6e-0e6f3a2b7c11 event=0 ' +
      'ip=198.41.192.227 location=zrh01 protocol=quic',
  );

function open(): void {
  print(
    'INF',
    'Thank you for trying Cloudflare Tunnel. Doing so, without a Cloudflare account, is a quick way to experiment and ' +
      'try it out. However, be aware that these account-less Tunnels have no uptime guarantee.',
  );
  print('INF', 'Requesting new quick Tunnel on trycloudflare.com...');
  if (orders.includes('refused')) {
    process.stderr.write(
      'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: lookup ' +
        'api.trycloudflare.com: no such host\n',
    );
    process.exit(1);
  }
  print('INF', '+--------------------------------------------------------------------------------------------+');
  print('INF', '|  Your quick Tunnel has been created! Visit it at (it may take some time to be reachable):  |');
  const name = orders.includes('renamed') ? 'other' : 'quiet';
  print('INF', `|  https://${name}-hearth-paper-lamp.trycloudflare.com                                         |`);
  print('INF', '+--------------------------------------------------------------------------------------------+');
  print('INF', 'Cannot determine default configuration path. No file [config.yml config.yaml] in [~/.cloudflared]');
  print('INF', 'Version 2024.12.2 (Checksum 40ec6a0f0e4b4ee6cc2c7ee0bbbf8dba)');
  print('INF', 'GOOS: linux, GOVersion: go1.22.5, GoArch: amd64');
  print('INF', 'Settings: map[ha-connections:1 no-autoupdate:true protocol:quic url:http://127.0.0.1:8080]');
  print('INF', 'Generated Connector ID: 0a6e8a61-6a24-4f2e-9a53-2f6a5a4d2b10');
  print('INF', 'Initial protocol quic');
  print('INF', 'Starting metrics server on 127.0.0.1:20241/metrics');
  registered();
}

if (!orders.includes('silent')) open();
let isLost = false;
setInterval(() => {
  const shallLose = orders.includes('lost') && existsSync(`${control}.lost`);
  if (shallLose === isLost) return;
  isLost = shallLose;
  if (!isLost) return registered();
  print('WRN', 'Connection terminated error="timeout: no recent network activity" connIndex=0');
  print('INF', 'Retrying connection in up to 1s connIndex=0 event=0 ip=198.41.192.227');
}, 20);
