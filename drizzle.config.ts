import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './src-main/platform/database/schema/index.ts',
  out: './src-main/platform/database/migrations',
});
