import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../../../contract/constants.ts'
import { projectRoot } from '../../platform/paths.ts'

/** A font under the SIL Open Font License, in a package that only a build needs: a build copies the file. */
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

/** The files of a build: where each comes from in `node_modules`, and its name in the folder of fonts. */
export const fontFiles: readonly { from: string; to: string }[] = [...new Set(Object.values(fonts))].flatMap(
  (font) => [
    { from: join(font.folder, font.file), to: nameOf(font) },
    { from: join(font.folder, font.licence), to: `${nameOf(font)}.OFL.txt` },
  ],
)

/** The font file for texts of a language: from the build, else from its package. */
export function fontPath(language: Language): string {
  const font = fonts[language]
  const paths = [
    join(projectRoot, 'dist/server/fonts', nameOf(font)),
    join(projectRoot, 'node_modules', font.folder, font.file),
  ]
  const path = paths.find((candidate) => existsSync(candidate))
  if (path === undefined) throw new Error(`${nameOf(font)} is missing: run npm run build`)
  return path
}

function nameOf({ file }: Font): string {
  return file.slice(file.lastIndexOf('/') + 1)
}
