import { transformWithOxc, type Plugin } from 'vite'
import { buildTarget } from './oldestBrowsers.ts'

/** What one of the oldest browsers does not have. `without`: what happens there, if the files may have it. */
type Feature = { name: string; pattern: RegExp; without?: string }

const inScripts: readonly Feature[] = [
  { name: 'array copies', pattern: /\.(toSorted|toReversed|toSpliced)\(/ },
  { name: 'groupBy', pattern: /\b(Object|Map)\.groupBy\b/ },
  { name: 'promises', pattern: /\bPromise\.(withResolvers|try)\b/ },
  { name: 'Array.fromAsync', pattern: /\bArray\.fromAsync\b/ },
  {
    name: 'iterator helpers',
    pattern: /\bIterator\.(from|prototype)\b|\.(values|keys|entries)\(\)\.(?!next\b)\w+\(/,
  },
  { name: 'sets', pattern: /\.(isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/ },
  { name: 'strings', pattern: /\.(isWellFormed|toWellFormed)\(|\bRegExp\.escape\b/ },
  // Safari 16.4 is the first that parses it; in a constructor no build can lower it.
  { name: 'lookbehind', pattern: /\(\?<[=!]/ },
  { name: 'addresses and signals', pattern: /\bURL\.(canParse|parse)\b|\bAbortSignal\.any\b/ },
  {
    name: 'compression',
    pattern: /\b(Dec|C)ompressionStream\b/,
    without: 'a proof is not compared with its recording',
  },
  { name: 'import attributes', pattern: /\bimport\([^)]*\bwith:/ },
  {
    name: 'popover',
    pattern: /\.showPopover\(/,
    without: 'no button for the full screen; toasts by z-index',
  },
  { name: 'Segmenter', pattern: /\bIntl\.Segmenter\b/, without: 'excerpts end at a space' },
]

const inStyles: readonly Feature[] = [
  { name: 'nesting', pattern: /[{;}]\s*&/ },
  { name: 'colour functions', pattern: /\b(oklch|oklab|lch|lab|light-dark)\(|\(from / },
  { name: 'cascade', pattern: /@(scope|starting-style)\b/ },
  { name: 'popover', pattern: /:popover-open|::backdrop\b[^{]*popover/ },
  { name: 'anchors', pattern: /\banchor\(|position-anchor|position-area/ },
  { name: 'subgrid', pattern: /\bsubgrid\b/ },
  { name: 'line units', pattern: /\d(lh|rlh|cap)\b/ },
  { name: 'states', pattern: /:(user-valid|user-invalid|open)\b/ },
  { name: 'backdrop', pattern: /[^-]backdrop-filter/ },
  { name: 'style queries', pattern: /@container[^{]*\bstyle\(/ },
  { name: ':has', pattern: /:has\(/, without: 'rules beside it, `@supports not selector(:has(*))`' },
  { name: 'color-mix', pattern: /\bcolor-mix\(/, without: 'no tint under a pointer' },
  { name: '@property', pattern: /@property\b/, without: 'no fade at the end of the tabs' },
  { name: 'text-wrap', pattern: /\btext-wrap\b/, without: 'lines break at the edge' },
  { name: 'field-sizing', pattern: /\bfield-sizing\b/, without: 'the composer sets its own height' },
  { name: 'scroll timelines', pattern: /\banimation-timeline\b/, without: 'inside @supports' },
]

/** The features in a built file that one of the oldest browsers lacks, and that nothing replaces there. */
export async function newerFeatures(file: string, source: string): Promise<string[]> {
  const features = file.endsWith('.css') ? inStyles : inScripts
  const found = features.filter(({ pattern, without }) => without === undefined && pattern.test(source))
  const names = found.map(({ name }) => name)
  return file.endsWith('.css') || (await isLowered(file, source)) ? names : [...names, 'syntax']
}

/** Whether nothing in a script is left to lower: it is printed the same for the oldest and for the newest browsers. */
async function isLowered(file: string, source: string): Promise<boolean> {
  const print = async (target: string | string[]): Promise<string> =>
    (await transformWithOxc(source, file, { target })).code
  return (await print(buildTarget)) === (await print('esnext'))
}

/** Fails a build whose scripts or style sheets need a newer browser than the oldest ones. */
export const holdOldestBrowsers = (): Plugin => ({
  name: 'hold-oldest-browsers',
  apply: (config, { command }) => command === 'build' && !config.build?.ssr,
  enforce: 'post',
  async writeBundle(_options, bundle) {
    for (const output of Object.values(bundle)) {
      if (!/\.(js|css)$/.test(output.fileName)) continue
      const source = output.type === 'chunk' ? output.code : String(output.source)
      const found = await newerFeatures(output.fileName, source)
      if (found.length > 0) this.error(`${output.fileName} needs newer browsers: ${found.join(', ')}`)
    }
  },
})
