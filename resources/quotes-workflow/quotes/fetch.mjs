#!/usr/bin/env node
// Fetches every listed price and writes out/quotes/<key>.json and out/quotes/index.json. See README.md in this
// folder.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { carryForward, lastGood } from './carry.mjs';
import { ConfigError, readConfig } from './config.mjs';
import { livePortal, PORTAL_URL, PortalError, recordedPortal } from './portal.mjs';
import { fetchQuote } from './quote.mjs';

const EXIT = { allGood: 0, noneGood: 1, badConfig: 2, someFailed: 3 };
const DEFAULT_BUDGET_SECONDS = 480;
const USAGE = `usage: node quotes/fetch.mjs [--config quotes-config.json] [--out out] [--previous previous/quotes]
  --dry-run          fetch and tell, write nothing
  --fixtures FOLDER  recorded answers instead of the network
  --portal URL       another portal address
  --budget SECONDS   time for all keys together (${DEFAULT_BUDGET_SECONDS}); what is left over then counts as failed
  --now TIME         the time of the run, ISO 8601
exit: 0 all fetched, 1 none, 2 the configuration or a flag is wrong, 3 some`;

process.exitCode = await main().catch((error) => {
  if (!(error instanceof ConfigError) && !String(error?.code).startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(error.message);
  if (!(error instanceof ConfigError)) console.error(USAGE);
  return EXIT.badConfig;
});

async function main() {
  const { values: flags } = parseArgs({
    options: {
      config: { type: 'string', default: 'quotes-config.json' },
      out: { type: 'string', default: 'out' },
      previous: { type: 'string', default: 'previous/quotes' },
      fixtures: { type: 'string' },
      portal: { type: 'string', default: PORTAL_URL },
      budget: { type: 'string', default: String(DEFAULT_BUDGET_SECONDS) },
      now: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (flags.help) {
    console.log(USAGE);
    return EXIT.allGood;
  }
  const now = flags.now === undefined ? new Date() : new Date(flags.now);
  if (Number.isNaN(now.getTime()))
    throw new ConfigError(`--now ${flags.now} is not a time: write it as 2026-11-22T10:00:00Z.`);
  const budget = Number(flags.budget);
  if (!(budget > 0)) throw new ConfigError(`--budget ${flags.budget} is not a number of seconds.`);
  const config = readConfig(flags.config);
  for (const fault of config.faults) console.error(fault);
  const portal = flags.fixtures === undefined ? livePortal({ url: flags.portal }) : recordedPortal(flags.fixtures);

  const quotes = [];
  let good = 0;
  const deadline = performance.now() + budget * 1000;
  for (const listing of config.listings) {
    try {
      if (performance.now() > deadline) throw new PortalError(`no time left after ${budget} s`, { again: false });
      const quote = await fetchQuote(portal, listing, now);
      console.log(`${listing.key}: ${quote.price} ${quote.currency ?? ''}, ${quote.spark.length} points`);
      quotes.push(quote);
      good += 1;
    } catch (error) {
      if (!(error instanceof PortalError)) throw error;
      const last = lastGood(flags.previous, listing.key);
      const carried = last && carryForward(last, { now, keepMinutes: config.keepMinutes, error: error.message });
      const shown = carried?.ok ? 'still shown' : 'marked as too old';
      const outcome = carried ? `the price of ${carried.updated} stays, ${shown}` : 'there is no earlier price to keep';
      console.error(`${listing.key}: ${error.message}; ${outcome}`);
      if (carried) quotes.push(carried);
    }
  }
  if (flags['dry-run']) console.log(`dry run: ${quotes.length} files not written`);
  else write(flags.out, quotes, now);
  const failed = config.listings.length - good + config.faults.length;
  console.log(`${good} fetched, ${failed} failed`);
  if (good === 0) return EXIT.noneGood;
  return failed > 0 ? EXIT.someFailed : EXIT.allGood;
}

/**
 * Replaces the whole folder, so that files of keys that are no longer listed disappear.
 * @param {string} out
 * @param {import('./quote.mjs').Quote[]} quotes
 * @param {Date} now
 */
function write(out, quotes, now) {
  const fresh = join(out, 'quotes.new');
  const target = join(out, 'quotes');
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  for (const quote of quotes) writeFileSync(join(fresh, `${quote.symbol}.json`), `${JSON.stringify(quote)}\n`);
  const index = {
    updated: now.toISOString(),
    quotes: quotes.map(({ symbol: key, name, price, currency, ok, stale, updated, age, error }) => ({
      key,
      name,
      price,
      currency,
      ok,
      stale,
      updated,
      age,
      error,
    })),
  };
  writeFileSync(join(fresh, 'index.json'), `${JSON.stringify(index, undefined, 1)}\n`);
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
}
