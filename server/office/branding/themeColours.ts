import * as z from 'zod/mini'

const hex = z.optional(
  z.string().check(z.regex(/^#[\da-f]{6}$/i, { error: 'must be a colour such as #4a42e0' })),
)

/** The colours of a theme that an operator may replace; those left out stay as they are. */
export const themeColours = z._default(
  z.strictObject({
    /** Filled buttons and switches. */
    accent: hex,
    /** The same while pressed. */
    accentPress: hex,
    /** Text and icons on an accent. */
    onAccent: hex,
    /** Links and chosen tabs. */
    accentText: hex,
    /** Behind an accent's text. */
    accentTint: hex,
  }),
  {},
)
export type ThemeColours = z.infer<typeof themeColours>
export type Colours = Readonly<Record<Theme, ThemeColours>>
type Theme = 'light' | 'dark'
type Token = keyof ThemeColours

/** The custom properties of `src/ui/theme.css` that the colours replace. */
const properties: Record<Token, string> = {
  accent: '--accent',
  accentPress: '--accent-press',
  onAccent: '--on-accent',
  accentText: '--accent-text',
  accentTint: '--accent-tint',
}
const tokens = Object.keys(properties) as Token[]

/** The colours of `src/ui/theme.css`, and the grounds on which they are seen. */
export const builtInColours: Record<Theme, Record<Token, string> & { grounds: readonly string[] }> = {
  light: {
    accent: '#4a42e0',
    accentPress: '#3f37cc',
    onAccent: '#ffffff',
    accentText: '#4a42e0',
    accentTint: '#eeedfd',
    grounds: ['#ffffff', '#f4f5f8', '#eceef2'],
  },
  dark: {
    accent: '#5b54ea',
    accentPress: '#4d46d8',
    onAccent: '#ffffff',
    accentText: '#a29dff',
    accentTint: '#211f45',
    grounds: ['#0c0e13', '#14171e', '#171a22', '#1e222b'],
  },
}

/** By WCAG 2.2, level AA. */
const textContrast = 4.5
const shapeContrast = 3

/** Why the colours cannot be read, in a sentence that names the pair; null if they can. */
export function colourProblem(colours: Colours): string | null {
  for (const theme of ['light', 'dark'] as const) {
    const { grounds, ...builtIn } = builtInColours[theme]
    const used: Record<Token, string> = { ...builtIn, ...definedOf(colours[theme]) }
    const seenOn = (token: Token, behind: readonly string[], least: number) =>
      behind.map((ground) => ({ token, ground, least }))
    const pairs = [
      ...seenOn('onAccent', [used.accent, used.accentPress], textContrast),
      ...seenOn('accentText', [...grounds, used.accentTint], textContrast),
      // The ground of fields, the last one, has no shape in the accent.
      ...seenOn('accent', grounds.slice(0, -1), shapeContrast),
    ]
    for (const { token, ground, least } of pairs) {
      const found = contrast(used[token], ground)
      if (found < least)
        return `colours.${theme}.${token} ${used[token]} has a contrast of ${found.toFixed(2)} on ${ground}; it must have at least ${least}`
    }
  }
  return null
}

const definedOf = (theme: ThemeColours): Partial<Record<Token, string>> =>
  Object.fromEntries(Object.entries(theme).filter(([, colour]) => colour !== undefined))

/** The style sheet that replaces the colours; empty if none is replaced. */
export function colourSheet(colours: Colours): string {
  const rule = (selector: string, theme: ThemeColours): string => {
    const lines = tokens.flatMap((token) => {
      const colour = theme[token]
      return colour === undefined ? [] : [`  ${properties[token]}: ${colour.toLowerCase()};\n`]
    })
    return lines.length === 0 ? '' : `${selector} {\n${lines.join('')}}\n`
  }
  // As specific as the rules they replace and after them, and on a theme inside of another one too.
  return (
    rule(":root:not([data-theme='dark']), [data-theme='light']", colours.light) +
    rule("[data-theme='dark']", colours.dark)
  )
}

/** The contrast of two colours by WCAG 2.2. */
export function contrast(first: string, second: string): number {
  const [low = 0, high = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
