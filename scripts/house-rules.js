// The import rules of the project (CONTRIBUTING.md, "Layers"), and what only some folders may do. Enforced by oxlint.
import { dirname, relative, resolve } from 'node:path';

/** Layers from top to bottom: a folder imports from its own layer and those below it. */
const LAYERS = {
  'src-main': ['app', 'features', 'reading', 'platform'],
  'src-renderer': ['app', 'features', 'client', 'ui', 'locales'],
};
const LAYER_HELP = 'layers import downwards only: move the shared part into the lower layer, or pass it in.';
const FEATURE_HELP = 'a feature is entered through its service.ts.';
const RENDERER_FEATURE_HELP = 'features do not know each other: share through ui/ or client/.';

/** Files of `in` must not import `not`; `except` lists files that may. `why` says what to do instead. */
const IMPORTS = [
  {
    in: /^src-shared\//,
    not: /^(src-main|src-renderer)\/|^node:/,
    why: 'src-shared runs in Node, browser and worker: pass what it needs as an argument.',
  },
  {
    in: /^src-renderer\//,
    not: /^src-main\/|^node:/,
    why: 'the renderer knows main only through src-shared/contract: call the API with client/api.ts.',
  },
  {
    in: /^src-main\//,
    not: /^src-renderer\//,
    why: 'main does not know its window: put shared things into src-shared.',
  },
  {
    in: /^src-main\//,
    not: /^electron$/,
    except: /^src-main\/app\/(desktop\/|electron-main\.ts)/,
    why: 'the core runs without Electron: put it into app/desktop/ behind contract/bridge.ts.',
  },
  {
    in: /^src-main\//,
    not: /^src-main\/platform\/database\/schema/,
    except: /repository\.ts$|^src-main\/(platform\/(database|audit|access|vault)|reading\/pipeline|features\/names)\//,
    why: 'tables are read and written by repositories: ask the repository of the feature.',
  },
  {
    in: /^src-main\//,
    not: /^express$|^busboy$|^helmet$|^compression$/,
    except: /^src-main\/platform\/http\//,
    why: 'HTTP ends in platform/http/: declare an endpoint in the contract and write a handler.',
  },
  {
    in: /^src-main\//,
    not: /^better-sqlite3$|^drizzle-orm/,
    except: /repository\.ts$|^src-main\/(platform\/(database|audit|access|vault)|features\/phone-backups\/adapters)\//,
    why: 'SQL belongs in repositories.',
  },
  {
    in: /^src-main\/reading\/(extraction|pipeline\/stages)\/|^src-shared\/(medical|ios-backup)\//,
    not: /^node:|^src-main\/platform\/(vault|http|database|config)\/|^src-main\/reading\/providers\/(?!provider\.ts)|^sharp$/,
    why: 'rules and stages are pure: values in, values out; I/O comes as an argument.',
  },
  {
    in: /^src-main\//,
    not: /^(sharp|heic-decode|@hyzyla\/pdfium|tesseract\.js)$/,
    except: /^src-main\/reading\/providers\//,
    why: 'images, PDFs and OCR are decoded in reading/providers/: ask createReading or a provider.',
    freeInTests: true,
  },
  {
    in: /^src-main\//,
    not: /^node:child_process$/,
    except: /^src-main\/platform\/kernel\/run-program\.ts/,
    why: 'programs are run by kernel/run-program.ts, without a shell and with a time limit.',
    freeInTests: true,
  },
  {
    in: /^src-main\//,
    not: /^openid-client$/,
    except: /^src-main\/features\/oidc\//,
    why: 'OpenID Connect is spoken in features/oidc/.',
  },
  {
    in: /^src-main\//,
    not: /^@node-rs\/argon2$/,
    except: /^src-main\/features\/auth\//,
    why: 'passwords are hashed in auth/passwords.ts.',
  },
  {
    in: /^src-(main|renderer)\//,
    not: /^src-shared\/ios-backup\/(?!index\.ts|artifacts\/)/,
    why: 'phone backups are read through src-shared/ios-backup/index.ts.',
  },
  {
    in: /^(src-[a-z]+|scripts)\//,
    not: /^test\//,
    except: /\.test\.tsx?$/,
    why: 'production code must not need the tests.',
  },
  {
    in: /^test\//,
    not: /\.test\.tsx?$/,
    why: 'tests do not import each other: put what two of them share into test/support or test/fixtures.',
  },
];

const FILE_WRITES = new Set([
  'writeFile',
  'writeFileSync',
  'appendFile',
  'appendFileSync',
  'rename',
  'renameSync',
  'unlink',
  'unlinkSync',
  'createWriteStream',
  'copyFileSync',
]);
const MAY_WRITE =
  /^src-main\/(platform\/(vault|database|config)|features\/(vault-(backups|files)|phone-backups)|reading\/providers\/ocr)\/|^scripts\/|^test\/|\.test\.ts$/;
const MAY_READ_CLOCK =
  /^src-main\/platform\/kernel\/(clock|ids|log)\.ts$|^src-renderer\/client\/clock\.ts$|^scripts\/|^test\/|\.test\.tsx?$/;
const MAY_READ_ENVIRONMENT =
  /^src-main\/platform\/(config|kernel\/run-program\.ts)|^scripts\/|^test\/|^[^/]+\.ts$|\.test\.ts$/;
const DECLARES_NO_SCHEMAS = /^src-(main\/(?!platform\/config\/)|renderer\/)(?!.*\.test\.tsx?$)/;

/** Idioms that read as translated, and what to write instead (CONTRIBUTING.md, "Plain English"). */
const IDIOMS = [
  [
    /\b(?:stands?|stood) (?:in(?! for)|on|at|there|here|beside|before|behind|above|below|under|alone|first|last)\b/i,
    'is, appears, comes',
  ],
  [/\b(?:lies?|lay) (?:in|on|at|there|here|beside|before|behind|above|below|under|within|where)\b/i, 'is, is stored'],
  [/\bhangs? on\b/i, 'belongs to, is linked to'],
  [/\b(?:is|are|was|were) told\b/i, 'is notified, receives'],
  [/(?<!there )\b(?:is|are) no (?!longer\b|more\b|match)/i, 'is not a, there is no'],
  [/\bwhat is asked\b/i, 'the request'],
  [/\b(?:he|his|him|himself)\b/, 'they, their, them, or the role'],
];

const isTest = (file) => /\.test\.tsx?$/.test(file);
const featureOf = (path) => /^src-(?:main|renderer)\/features\/([^/]+)\//.exec(path)?.[1];

/** Why `file` must not import `target` by their places in the layout; undefined where it may. */
function layoutProblem(file, target) {
  const [area, folder] = file.split('/');
  const [targetArea, targetFolder] = target.split('/');
  if (area !== targetArea || !(area in LAYERS)) return undefined;
  const layers = LAYERS[area];
  // Entry points beside the layers belong to the top one.
  const layer = Math.max(0, layers.indexOf(folder));
  const targetLayer = Math.max(0, layers.indexOf(targetFolder));
  if (targetLayer < layer) return LAYER_HELP;
  const feature = featureOf(file);
  const targetFeature = featureOf(target);
  if (feature === undefined || targetFeature === undefined || feature === targetFeature || isTest(file))
    return undefined;
  if (area === 'src-renderer') return RENDERER_FEATURE_HELP;
  return target === `src-main/features/${targetFeature}/service.ts` ? undefined : FEATURE_HELP;
}

/** Comments everywhere and the English messages are written as a native engineer would write them. */
const plainEnglish = {
  create(context) {
    const file = relative(context.cwd ?? process.cwd(), context.filename)
      .split('\\')
      .join('/');
    const check = (node, text) => {
      for (const [idiom, instead] of IDIOMS) {
        const found = idiom.exec(text);
        if (found) context.report({ node, message: `“${found[0]}” reads as translated: ${instead}` });
      }
    };
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) check(comment, comment.value);
      },
      Literal(node) {
        if (file === 'src-renderer/locales/en.ts' && typeof node.value === 'string') check(node, node.value);
      },
    };
  },
};

export default {
  meta: { name: 'house' },
  rules: {
    'plain-english': plainEnglish,
    layers: {
      create(context) {
        const root = context.cwd ?? process.cwd();
        const toProjectPath = (path) => relative(root, path).split('\\').join('/');
        const file = toProjectPath(context.filename);
        const check = (node, specifier) => {
          const target = specifier.startsWith('.')
            ? toProjectPath(resolve(dirname(context.filename), specifier))
            : specifier;
          const problem = layoutProblem(file, target);
          if (problem) context.report({ node, message: `${file} must not import ${target}: ${problem}` });
          for (const rule of IMPORTS) {
            if (!rule.in.test(file) || !rule.not.test(target) || rule.except?.test(file)) continue;
            if (isTest(file) && rule.freeInTests) continue;
            context.report({ node, message: `${file} must not import ${target}: ${rule.why}` });
          }
        };
        const report = (node, message) => context.report({ node, message });
        return {
          ImportDeclaration: (node) => check(node, node.source.value),
          ExportNamedDeclaration: (node) => node.source && check(node, node.source.value),
          ExportAllDeclaration: (node) => check(node, node.source.value),
          ImportExpression: (node) => typeof node.source.value === 'string' && check(node, node.source.value),
          CallExpression(node) {
            if (!file.startsWith('src-')) return;
            const { callee } = node;
            const name = callee.type === 'Identifier' ? callee.name : callee.property?.name;
            const owner = callee.object?.name;
            const isFileWrite = FILE_WRITES.has(name) && (callee.type === 'Identifier' || owner === 'fs');
            if (isFileWrite && !MAY_WRITE.test(file))
              report(node, `${name} writes a file where none is written: use vault/atomic.ts or the vault.`);
            const isClockOrChance =
              (owner === 'Date' && name === 'now') || (owner === 'Math' && name === 'random') || name === 'randomUUID';
            if (isClockOrChance && !MAY_READ_CLOCK.test(file))
              report(node, 'time and randomness are passed in: take a Clock (kernel/clock.ts) or ids (kernel/ids.ts).');
            if (owner === 'z' && name === 'object' && DECLARES_NO_SCHEMAS.test(file))
              report(node, 'schemas of the wire are declared once: put it into src-shared/contract.');
            if (owner === 'console')
              report(node, 'write to the log (kernel/log.ts); the renderer shows errors to the user.');
          },
          NewExpression(node) {
            const readsClock = node.callee.name === 'Date' && node.arguments.length === 0;
            if (readsClock && file.startsWith('src-') && !MAY_READ_CLOCK.test(file))
              report(node, 'new Date() reads the clock: take a Clock (kernel/clock.ts).');
          },
          MemberExpression(node) {
            const readsEnvironment = node.object.name === 'process' && node.property.name === 'env';
            if (readsEnvironment && file.startsWith('src-') && !MAY_READ_ENVIRONMENT.test(file))
              report(node, 'the environment is read in config/load.ts: declare a key in config/config.ts.');
          },
        };
      },
    },
  },
};
