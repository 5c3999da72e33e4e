import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './src-main/database/schema/index.ts',
  out: './src-main/database/migrations',
});
