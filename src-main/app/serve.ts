import { resolveQuickly } from '../platform/kernel/fast-drizzle-resolution.ts';

// Before anything that is slow to find is asked for.
resolveQuickly();
const { serve } = await import('./headless.ts');
await serve();
