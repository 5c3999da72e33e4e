export * from './accounts.ts';
export * from './names.ts';
export * from './documents.ts';
export * from './imaging.ts';
export * from './conversation.ts';
export * from './shares.ts';
export * from './pipeline.ts';
export * from './vault.ts';
