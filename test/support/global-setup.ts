/** Bundles the core once, before workers start programs side by side. */
export async function setup(): Promise<void> {
  await import('./program.ts');
}
