import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../../../contract/constants.ts'
import { projectRoot } from '../../platform/paths.ts'

/** A font under the SIL Open Font License, in a package of `fonts/package.json`. */
export type Font = { folder: string; file: string; licence: string }

const noto = (script: string, file: string): Font => ({
  folder: `@embedpdf/fonts-${script}`,
  file: `fonts/${file}-Regular.otf`,
  licence: 'LICENSE',
})
const sarabun: Font = {
  folder: '@expo-google-fonts/sarabun',
  file: '400Regular/Sarabun_400Regular.ttf',
  licence: 'LICENSE_FONT',
}

/** One font has all letters of a language. Han characters look different in each of the four languages that have them. */
const fonts: Record<Language, Font> = {
  'zh-CN': noto('sc', 'NotoSansHans'),
  'zh-TW': noto('tc', 'NotoSansHant'),
  ja: noto('jp', 'NotoSansJP'),
  ko: noto('kr', 'NotoSansKR'),
  th: sarabun,
  vi: sarabun,
  id: sarabun,
  en: sarabun,
  fr: sarabun,
  de: sarabun,
}

/** Where the first build of a clone puts the fonts (`fonts/install.ts`). */
export const cachedFonts = join(projectRoot, 'node_modules/.cache/uptick/fonts')

/** What is kept of the packages: the path in their `node_modules`, and the name in the folder of fonts. */
export const fontFiles: readonly { from: string; to: string }[] = [...new Set(Object.values(fonts))].flatMap(
  (font) => [
    { from: join(font.folder, font.file), to: nameOf(font) },
    { from: join(font.folder, font.licence), to: `${nameOf(font)}.OFL.txt` },
  ],
)

/** The font file for texts of a language: from the build, or what it was built from. */
export function fontPath(language: Language): string {
  const name = nameOf(fonts[language])
  const paths = [join(projectRoot, 'dist/server/fonts'), cachedFonts].map((folder) => join(folder, name))
  const path = paths.find((candidate) => existsSync(candidate))
  if (path === undefined) throw new Error(`${name} is missing: run npm run build`)
  return path
}

function nameOf({ file }: Font): string {
  return file.slice(file.lastIndexOf('/') + 1)
}
