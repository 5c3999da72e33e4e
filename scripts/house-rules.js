// The walls of the house (CONTRIBUTING.md): which room may import what, and what only one room may do. Held by oxlint.
import { dirname, relative, resolve } from 'node:path';

const FEATURES =
  'documents|links|events|children|timeline|labs|patients|auth|oidc|users|today|trash|normalization|knowledge|settings|prompts|secrets|logs|backups|phone-backups';

/** A file of room `in` must not import `not`; `except` lists files that may. The message says why and where to go instead. */
const IMPORTS = [
  {
    in: /^src-shared\//,
    not: /^(src-main|src-renderer)\/|^node:/,
    why: 'src-shared runs in Node, browser and worker: pass what it needs as an argument.',
  },
  {
    in: /^src-renderer\//,
    not: /^src-main\/|^node:/,
    why: 'the renderer knows main only through src-shared/contract: call the API with app/api.ts.',
  },
  {
    in: /^src-main\//,
    not: /^src-renderer\//,
    why: 'main does not know its window: put shared things into src-shared.',
  },
  {
    in: /^src-main\//,
    not: /^electron$/,
    except: /^src-main\/(desktop\/|main\.ts)/,
    why: 'the core runs without Electron: put it into desktop/ behind contract/bridge.ts.',
  },
  {
    in: /^src-main\//,
    not: new RegExp(`^src-main/(${FEATURES})/(?!service\\.ts|routes\\.ts)`),
    sameFeature: true,
    except: /^src-main\/(core\.ts|pipeline\/ports|vault\/|providers\/page\/reading\.ts|today\/service\.ts)/,
    why: 'a feature is entered through its service.ts.',
  },
  {
    in: /^src-main\//,
    not: /^src-main\/database\/schema/,
    except: /^src-main\/(.*repository\.ts|database\/|audit\/|access\/|pipeline\/|normalization\/|vault\/)/,
    why: 'tables are read and written by repositories: ask the repository of the feature.',
  },
  {
    in: /^src-main\//,
    not: /^express$|^busboy$|^helmet$|^compression$/,
    except: /^src-main\/http\//,
    why: 'HTTP ends in http/: declare an endpoint in the contract and write a handler.',
  },
  {
    in: /^src-main\//,
    not: /^better-sqlite3$|^drizzle-orm/,
    except: /^src-main\/(database\/|.*repository\.ts|audit\/|access\/|vault\/|phone-backups\/adapters\/)/,
    why: 'SQL stands in repositories.',
  },
  {
    in: /^src-main\/(extraction|pipeline\/stages)\/|^src-shared\/(medical|ios-backup)\//,
    not: /^node:|^src-main\/(vault|http|database|providers\/(?!provider\.ts)|config)\/|^sharp$/,
    why: 'rules and stages are pure: values in, values out; I/O comes as a capability.',
  },
  {
    in: /^src-main\//,
    not: /^(sharp|heic-decode|@hyzyla\/pdfium|tesseract\.js)$/,
    except: /^src-main\/providers\//,
    why: 'pictures, PDFs and OCR are decoded in providers/: ask createReading or a provider.',
    freeInTests: true,
  },
  {
    in: /^src-main\//,
    not: /^node:child_process$/,
    except: /^src-main\/kernel\/run-program\.ts/,
    why: 'programs are run by kernel/run-program.ts, without a shell and with a time limit.',
    freeInTests: true,
  },
  {
    in: /^src-main\//,
    not: /^openid-client$/,
    except: /^src-main\/oidc\//,
    why: 'sign-in services are spoken to in oidc/.',
  },
  {
    in: /^src-main\//,
    not: /^@node-rs\/argon2$/,
    except: /^src-main\/auth\//,
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
    why: 'what ships must not need the tests.',
  },
  {
    in: /^test\//,
    not: /\.test\.tsx?$/,
    why: 'a test stands alone: put what two tests share into test/support or test/fixtures.',
  },
  {
    in: /^src-renderer\/features\/([^/]+)\//,
    not: /^src-renderer\/features\//,
    sameFeature: true,
    why: 'features do not know each other: share through ui/ or app/.',
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
  /^src-main\/(vault|database|config|backups|phone-backups|providers\/ocr)\/|^scripts\/|^test\/|\.test\.ts$/;
const MAY_TELL_TIME =
  /^src-main\/kernel\/(clock|ids|log)\.ts$|^src-renderer\/app\/clock\.ts$|^scripts\/|^test\/|\.test\.tsx?$/;
const MAY_READ_ENVIRONMENT = /^src-main\/(config|kernel\/run-program\.ts)|^scripts\/|^test\/|^[^/]+\.ts$|\.test\.ts$/;
const MAKES_NO_SHAPES = /^src-(main\/(?!config\/)|renderer\/)(?!.*\.test\.tsx?$)/;

const featureOf = (path) => /^src-(?:main|renderer\/features)\/([^/]+)\//.exec(path)?.[1];

export default {
  meta: { name: 'house' },
  rules: {
    walls: {
      create(context) {
        const file = relative(context.cwd ?? process.cwd(), context.filename)
          .split('\\')
          .join('/');
        const check = (node, specifier) => {
          const target = specifier.startsWith('.')
            ? relative(context.cwd ?? process.cwd(), resolve(dirname(context.filename), specifier))
                .split('\\')
                .join('/')
            : specifier;
          for (const rule of IMPORTS) {
            if (!rule.in.test(file) || !rule.not.test(target) || rule.except?.test(file)) continue;
            if (rule.sameFeature && featureOf(file) === featureOf(target)) continue;
            if (/\.test\.tsx?$/.test(file) && (rule.sameFeature || rule.freeInTests)) continue;
            context.report({ node, message: `${file} must not import ${target}: ${rule.why}` });
          }
        };
        const told = (node, message) => context.report({ node, message });
        return {
          ImportDeclaration: (node) => check(node, node.source.value),
          ExportNamedDeclaration: (node) => node.source && check(node, node.source.value),
          ExportAllDeclaration: (node) => check(node, node.source.value),
          ImportExpression: (node) => typeof node.source.value === 'string' && check(node, node.source.value),
          CallExpression(node) {
            const { callee } = node;
            const name = callee.type === 'Identifier' ? callee.name : callee.property?.name;
            const owner = callee.object?.name;
            if (
              FILE_WRITES.has(name) &&
              (callee.type === 'Identifier' || owner === 'fs') &&
              file.startsWith('src-') &&
              !MAY_WRITE.test(file)
            )
              told(node, `${name} writes a file outside the rooms that may: use vault/atomic.ts or the vault.`);
            if (
              ((owner === 'Date' && name === 'now') ||
                (owner === 'Math' && name === 'random') ||
                name === 'randomUUID') &&
              file.startsWith('src-') &&
              !MAY_TELL_TIME.test(file)
            )
              told(node, 'time and chance are given: take a Clock (kernel/clock.ts) or ids (kernel/ids.ts).');
            if (owner === 'z' && name === 'object' && MAKES_NO_SHAPES.test(file))
              told(node, 'shapes on the wire are declared once: put it into src-shared/contract.');
            if (owner === 'console' && file.startsWith('src-'))
              told(node, 'write to the log (kernel/log.ts); the renderer shows errors to the person.');
          },
          NewExpression(node) {
            if (
              node.callee.name === 'Date' &&
              node.arguments.length === 0 &&
              file.startsWith('src-') &&
              !MAY_TELL_TIME.test(file)
            )
              told(node, 'new Date() reads the clock: take a Clock (kernel/clock.ts).');
          },
          MemberExpression(node) {
            if (
              node.object.name === 'process' &&
              node.property.name === 'env' &&
              file.startsWith('src-') &&
              !MAY_READ_ENVIRONMENT.test(file)
            )
              told(node, 'the environment is read in config/load.ts: declare a key in config/config.ts.');
          },
        };
      },
    },
  },
};
