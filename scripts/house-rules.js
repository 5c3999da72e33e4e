// The import rules of the project (CONTRIBUTING.md, "Layers"), and what only some folders may do. Enforced by oxlint.
import { isBuiltin } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
// Layers from top to bottom: a folder imports from its own layer and those below it.
import LAYERS from './layers.json' with { type: 'json' };
import { catalog, plainEnglish, plainNames, wordLists } from './house-style.js';

/** Folders of an area that hold no code of a layer. */
const BESIDE_LAYERS = /^src-renderer\/public\//;
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
    not: /^(sharp|libheif-js(\/.+)?|@hyzyla\/pdfium|tesseract\.js|dicom-parser|dcmjs-codecs|@cornerstonejs\/codec-.+)$/,
    except: /^src-main\/reading\/(providers|dicom)\//,
    why: 'images, PDFs and OCR are decoded in reading/providers/ and reading/dicom/: ask what is exported there.',
    freeInTests: true,
  },
  {
    in: /^src-main\//,
    not: /^node:child_process$/,
    except: /^src-main\/(platform\/kernel\/(run-program|program-host|child-host)|app\/desktop\/hang-thread)\.ts/,
    why: 'programs are run by kernel/run-program.ts or running-program.ts, without a shell; processes by a worker pool.',
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
    not: /^@simplewebauthn\/server$/,
    except: /^src-main\/features\/passkeys\//,
    why: 'WebAuthn is spoken in features/passkeys/.',
  },
  {
    in: /^src-main\//,
    not: /^@node-rs\/argon2$/,
    except: /^src-main\/(features\/auth|platform\/sealed)\//,
    why: 'passwords are hashed in auth/passwords.ts; that of a vault in sealed/key-file.ts.',
  },
  {
    in: /^src-(main|renderer)\//,
    not: /^src-shared\/ios-backup\/(?!index\.ts|artifacts\/)/,
    why: 'phone backups are read through src-shared/ios-backup/index.ts.',
  },
  {
    in: /^(src-[a-z]+|scripts)\//,
    not: /^test\//,
    except: /\.test\.tsx?$|^scripts\/bench\.ts$/,
    why: 'production code must not need the tests.',
  },
  {
    in: /^test\//,
    not: /\.test\.tsx?$/,
    why: 'tests do not import each other: put what two of them share into test/support or test/fixtures.',
  },
];

const FILE_MODULES = new Set(['fs', 'node:fs', 'fs/promises', 'node:fs/promises']);
const FILE_HELP = 'writes a file where none is written: use vault/atomic.ts or the vault.';
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
  'copyFile',
  'copyFileSync',
  'cp',
  'cpSync',
  'promises',
  'truncateSync',
  'writeSync',
]);
const MAY_WRITE =
  /^src-main\/(platform\/(vault|database|config)|features\/(vault-(backups|files)|phone-backups)|reading\/providers\/ocr)\/|^scripts\/|^test\/|\.test\.ts$/;
const MAY_READ_CLOCK =
  /^src-main\/platform\/kernel\/(clock|ids|log)\.ts$|^src-renderer\/client\/clock\.ts$|^scripts\/|^test\/|\.test\.tsx?$/;
const MAY_READ_ENVIRONMENT =
  /^src-main\/platform\/(config|kernel\/run-program\.ts)|^scripts\/|^test\/|^[^/]+\.ts$|\.test\.ts$/;
const MAY_RUN_SQL =
  /repository\.ts$|\.test\.ts$|^src-main\/(platform\/(database|audit|access|vault)|reading\/pipeline|features\/phone-backups\/adapters)\//;
const DECLARES_NO_SCHEMAS = /^src-(main\/(?!platform\/config\/)|renderer\/)(?!.*\.test\.tsx?$)/;

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

/** A folder beside the layers of its area; undefined for files of layers and those beside them. */
function folderOutsideLayers(file) {
  const [area, folder, ...rest] = file.split('/');
  if (!(area in LAYERS) || rest.length === 0 || BESIDE_LAYERS.test(file)) return undefined;
  return LAYERS[area].includes(folder) ? undefined : `${area}/${folder}`;
}

/** The text of a string or template; `*` takes the place of its values. Undefined for other expressions. */
function textOf(node) {
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('*');
  return typeof node?.value === 'string' ? node.value : undefined;
}

/** What a module is called in the rules: its path in the project, or the name of a package or Node module. */
function toTarget(specifier, filename, toProjectPath) {
  if (specifier.startsWith('.')) return toProjectPath(resolve(dirname(filename), specifier));
  return isBuiltin(specifier) && !specifier.startsWith('node:') ? `node:${specifier}` : specifier;
}

export default {
  meta: { name: 'house' },
  rules: {
    catalog,
    'plain-names': plainNames,
    'plain-english': plainEnglish,
    'word-lists': wordLists,
    layers: {
      create(context) {
        const root = context.cwd ?? process.cwd();
        const toProjectPath = (path) => relative(root, path).split('\\').join('/');
        const file = toProjectPath(context.filename);
        const check = (node, source) => {
          const specifier = textOf(source);
          if (specifier === undefined) return;
          const target = toTarget(specifier, context.filename, toProjectPath);
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
          Program(node) {
            const folder = folderOutsideLayers(file);
            if (folder) report(node, `${folder}/ is outside the layers of ${file.split('/')[0]}: ${LAYER_HELP}`);
          },
          ImportDeclaration(node) {
            check(node, node.source);
            if (!file.startsWith('src-') || MAY_WRITE.test(file) || !FILE_MODULES.has(node.source.value)) return;
            for (const { imported } of node.specifiers)
              if (imported === undefined || FILE_WRITES.has(imported.name))
                report(node, `${imported?.name ?? 'a whole module'} ${FILE_HELP}`);
          },
          ExportNamedDeclaration: (node) => check(node, node.source),
          ExportAllDeclaration: (node) => check(node, node.source),
          ImportExpression: (node) => check(node, node.source),
          TSImportType: (node) => check(node, node.source ?? node.argument?.literal ?? node.argument),
          CallExpression(node) {
            if (!file.startsWith('src-')) return;
            const { callee } = node;
            // `import.meta.glob([…])`, `import.meta.resolve(…)` and `require(…)` import as well.
            const isImport = callee.object?.type === 'MetaProperty' || callee.name === 'require';
            const [sources] = isImport ? node.arguments : [];
            for (const source of sources?.type === 'ArrayExpression' ? sources.elements : [sources])
              check(node, source);
            const name = callee.type === 'Identifier' ? callee.name : callee.property?.name;
            const owner = callee.object?.name;
            const isClockOrChance =
              (owner === 'Date' && name === 'now') || (owner === 'Math' && name === 'random') || name === 'randomUUID';
            if (isClockOrChance && !MAY_READ_CLOCK.test(file))
              report(node, 'time and randomness are passed in: take a Clock (kernel/clock.ts) or ids (kernel/ids.ts).');
            const database = callee.object?.property?.name ?? owner;
            if (name === 'prepare' && database === 'db' && file.startsWith('src-main/') && !MAY_RUN_SQL.test(file))
              report(node, 'SQL belongs in repositories.');
            if (owner === 'z' && name === 'object' && DECLARES_NO_SCHEMAS.test(file))
              report(node, 'schemas of the wire are declared once: put it into src-shared/contract.');
            if (owner === 'console')
              report(node, 'write to the log (kernel/log.ts); the renderer shows errors to the user.');
          },
          NewExpression(node) {
            const [path, base] = node.arguments;
            const isOfModule = base?.type === 'MemberExpression' && base.object.type === 'MetaProperty';
            if (node.callee.name === 'URL' && isOfModule) check(node, path);
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
