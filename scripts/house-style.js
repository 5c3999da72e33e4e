// How words are written: plain English, message catalogs and word lists of one entry a line. Enforced by oxlint.
import { relative } from 'node:path';

/** Idioms that read as translated, and what to write instead (CONTRIBUTING.md, "Plain English"). */
export const IDIOMS = [
  [
    /\b(?:stands?|stood) (?:in(?! for)|on|at|there|here|beside|before|behind|above|below|under|alone|first|last)\b/i,
    'is, appears, comes',
  ],
  [/\b(?:lies?|lay) (?:in|on|at|there|here|beside|before|behind|above|below|under|within|where)\b/i, 'is, is stored'],
  [/\bhangs? on\b/i, 'belongs to, is linked to'],
  [/\b(?:is|are|was|were) told\b/i, 'is notified, receives'],
  [/(?<!there )\b(?:is|are) no (?!longer\b|more\b|match)/i, 'is not a, there is no'],
  [/\bwhat is asked\b/i, 'the request'],
  [/\b(?:[Hh]e|[Hh]is|[Hh]im|[Hh]imself)\b/, 'they, their, them, or the role'],
];

/**
 * Files whose strings are English that somebody reads: texts of the window, the API and the core. The rules that read
 * documents hold words to look for instead.
 */
const ENGLISH =
  /^src-renderer\/locales\/en\.ts$|^src-(?:shared|main)\/(?!medical\/|reading\/extraction\/)(?!.*\.test\.ts$)/;
const CATALOG = /^src-renderer\/locales\/(?!index\.ts$|.*\.test\.ts$)/;
const WORD_LISTS = /^src-(?:main\/reading\/extraction|shared\/medical)\/(?!generated\/)(?!.*\.test\.ts$)/;
/** Lists of codes that the compiler checks against a type, in order of preference. */
const CODE_LISTS = /^src-main\/reading\/extraction\/types\/type-rules\.ts$/;
/** Longer word lists have one word a line. */
const MAX_WORDS_IN_LINE = 6;
const WORD_LIST_HELP =
  `a list of more than ${MAX_WORDS_IN_LINE} words has one a line: put it into resources/knowledge/words, or keep the ` +
  'array open with a comment.';

const pathOf = (context) =>
  relative(context.cwd ?? process.cwd(), context.filename)
    .split('\\')
    .join('/');

/** The idioms of a text that read as translated, each with what to write instead. */
export function findIdioms(text) {
  return IDIOMS.flatMap(([idiom, instead]) => {
    const found = idiom.exec(text);
    return found ? [`“${found[0]}” reads as translated: ${instead}`] : [];
  });
}

/** The name of the function called: `it` of `it('…')`, `it.skip('…')` and `it.each([…])('…')`. */
function calleeName(node) {
  if (node.type === 'CallExpression') return calleeName(node.callee);
  return node.type === 'MemberExpression' ? calleeName(node.object) : node.name;
}

/** Comments and test titles everywhere and English for users are written as a native engineer would write them. */
export const plainEnglish = {
  create(context) {
    const file = pathOf(context);
    const check = (node, text) => {
      for (const message of findIdioms(text)) context.report({ node, message });
    };
    const checkEnglish = (node, text) => ENGLISH.test(file) && check(node, text);
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments())
          check(comment, comment.value.replace(/\s*\n[\s*]*/g, ' '));
      },
      Literal: (node) => typeof node.value === 'string' && checkEnglish(node, node.value),
      TemplateElement: (node) => checkEnglish(node, node.value.cooked),
      CallExpression(node) {
        const [title] = node.arguments;
        if (!/\.test\.tsx?$/.test(file) || !['describe', 'it', 'test'].includes(calleeName(node.callee))) return;
        if (typeof title?.value === 'string') check(title, title.value);
        for (const part of title?.type === 'TemplateLiteral' ? title.quasis : []) check(title, part.value.cooked);
      },
    };
  },
};

/** Names of functions that say neither what is done nor to what. */
const PARTICIPLES = new Set(
  'asked chosen found given gone held kept known left lit made meant seen sent shown sown taken told wanted'.split(' '),
);

/** A constant that is a limit says which one: `MAX_…` or `MIN_…`. */
const VAGUE_LIMIT =
  /^(?:(?:MOST|LEAST|LONGEST|SHORTEST|LARGEST|SMALLEST)_[A-Z_]+|MOST|FEW|FAR|THIN|EVER|NOBODY|ITSELF)$/;

/** A function is named by a verb with an object, a limit by its kind. */
export const plainNames = {
  create(context) {
    const file = pathOf(context);
    if (!/^(?:src-[a-z]+|scripts)\//.test(file) || /\.test\.tsx?$/.test(file)) return {};
    const check = (node, name, value) => {
      if (/Function/.test(value?.type ?? '') && PARTICIPLES.has(name?.name))
        context.report({ node, message: `${name.name} is not a verb with an object: say what the function does.` });
    };
    return {
      FunctionDeclaration: (node) => check(node, node.id, node),
      VariableDeclarator(node) {
        check(node, node.id, node.init);
        if (VAGUE_LIMIT.test(node.id.name ?? ''))
          context.report({ node, message: `${node.id.name} does not say what it limits: call it MAX_… or MIN_….` });
      },
      Property: (node) => check(node, node.key, node.value),
      MethodDefinition: (node) => check(node, node.key, node.value),
    };
  },
};

/** Message catalogs have one message a line, so that a change of one is a line of the diff. */
export const catalog = {
  create(context) {
    if (!CATALOG.test(pathOf(context))) return {};
    const lineOf = (node, end) => node.loc[end].line;
    return {
      ObjectExpression(node) {
        for (const [index, property] of node.properties.entries()) {
          const before = index > 0 ? lineOf(node.properties[index - 1], 'end') : lineOf(node, 'start');
          if (lineOf(property, 'start') === before)
            context.report({ node: property, message: 'a catalog has one message a line: open the object.' });
        }
      },
    };
  },
};

/** Lists of printed words are long, and people correct them: they have one word a line. */
export const wordLists = {
  create(context) {
    const file = pathOf(context);
    if (!WORD_LISTS.test(file) || CODE_LISTS.test(file)) return {};
    const report = (node) => context.report({ node, message: WORD_LIST_HELP });
    return {
      ArrayExpression(node) {
        const words = node.elements.filter((element) => typeof element?.value === 'string');
        const lines = new Set(words.map(({ loc }) => loc.start.line));
        if (words.length > MAX_WORDS_IN_LINE && lines.size < words.length && !isCheckedByType(node)) report(node);
      },
      CallExpression({ callee }) {
        if (callee.type !== 'MemberExpression' || callee.property.name !== 'split') return;
        const { object } = callee;
        const text = object.type === 'TemplateLiteral' ? object.quasis[0].value.cooked : object.value;
        if (typeof text === 'string' && text.split(/[\s,;|]+/).length > MAX_WORDS_IN_LINE) report(object);
      },
    };
  },
};

/** `[…] as const`, from which a type is derived, and `new Set<Role>([…])` list codes, not printed words. */
function isCheckedByType({ parent }) {
  if (parent.type === 'TSAsExpression') return parent.typeAnnotation.type === 'TSTypeReference';
  return parent.type === 'NewExpression' && parent.typeArguments?.params[0]?.type === 'TSTypeReference';
}
