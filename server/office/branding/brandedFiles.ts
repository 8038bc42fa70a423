import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages, type Language } from '../../../contract/constants.ts'
import { SettingsError } from '../../platform/settingsError.ts'
import type { BrandedFiles } from '../../platform/http/staticFiles.ts'
import { escapeHtml } from '../../platform/http/escapeHtml.ts'
import { oldBrowserPage, pageFile } from '../../platform/http/pageFile.ts'
import { defaultName, type OperatorSettings } from '../../platform/settings.ts'
import { loadPack } from '../../platform/packs.ts'
import { loadSharp } from '../../platform/sharp.ts'
import { companyLines } from '../../platform/company.ts'
import { colourSheet } from './themeColours.ts'
import type { OfficeConfig } from '../settings.ts'

export type Branding = Pick<OfficeConfig, 'name' | 'logo' | 'colours' | 'company' | 'logWitnesses'>
export type BrandingSettings = OperatorSettings<OfficeConfig, keyof Branding>

const officePage = 'office/index.html'
/** The style sheet of the operator's colours. The service worker stores it by this name. */
export const colourFile = 'brand.css'
const logoFile = 'icon.svg'

/** A raster icon: how much of its side is the logo. What a device may cut off a maskable one stays empty. */
const icons = [
  { file: 'icons/icon-192.png', side: 192, share: 0.8, ground: null },
  { file: 'icons/icon-512.png', side: 512, share: 0.8, ground: null },
  { file: 'icons/maskable-192.png', side: 192, share: 0.6, ground: '#ffffff' },
  { file: 'icons/maskable-512.png', side: 512, share: 0.6, ground: '#ffffff' },
  { file: 'icons/apple-touch-icon.png', side: 180, share: 0.7, ground: '#ffffff' },
] as const
const logoSide = 512

/**
 * Files of the build in the operator's name, logo and colours, and saying that the public log has witnesses if it has.
 * @throws SettingsError if the logo cannot be read
 */
export async function brandedFiles(folder: string, brand: Branding): Promise<BrandedFiles> {
  const files = new Map<string, Buffer>()
  const sheet = colourSheet(brand.colours)
  const isWitnessed = brand.logWitnesses.length > 0
  const isBranded =
    brand.name !== defaultName ||
    brand.logo !== undefined ||
    brand.company !== undefined ||
    sheet !== '' ||
    isWitnessed
  if (!isBranded) return files
  const rewrite = (file: string, change: (text: string) => string): void => {
    const path = join(folder, file)
    if (existsSync(path)) files.set(file, Buffer.from(change(readFileSync(path, 'utf8'))))
  }
  for (const file of [...languages.map(pageFile), oldBrowserPage, officePage])
    rewrite(file, (page) => brandedPage(page, brand, sheet !== ''))
  for (const language of languages)
    rewrite(manifestFile(language), (text) => text.replaceAll(defaultName, () => jsonText(brand.name)))
  if (isWitnessed) for (const language of languages) await sayWitnessed(files, language)
  if (sheet !== '') files.set(colourFile, Buffer.from(sheet))
  if (brand.logo !== undefined)
    for (const [file, bytes] of await logoFiles(brand.logo)) files.set(file, bytes)
  return files
}

const manifestFile = (language: Language): string => `manifest.${language}.webmanifest`

/** The landing page, its description and the manifest say that a later change would show. */
async function sayWitnessed(files: Map<string, Buffer>, language: Language): Promise<void> {
  const { welcome } = await loadPack(language)
  for (const file of [pageFile(language), manifestFile(language)]) {
    const text = files.get(file)?.toString()
    if (text !== undefined)
      files.set(file, Buffer.from(text.replaceAll(welcome.sentence, () => welcome.sentenceWitnessed)))
  }
}

/**
 * The page in the operator's name. The app's texts have the built-in name, which it replaces by `data-name`; an own logo is
 * the icon's file. `data-witnessed` says that others sign the public log.
 */
function brandedPage(
  page: string,
  { name, logo, company, logWitnesses }: Branding,
  hasColours: boolean,
): string {
  let text = page.replaceAll(defaultName, () => escapeHtml(name))
  const flags = `${logo === undefined ? '' : ' data-logo'}${logWitnesses.length === 0 ? '' : ' data-witnessed'}`
  text = text.replace('<html ', () => `<html data-name="${escapeHtml(name)}"${flags} `)
  if (hasColours) text = text.replace('</head>', `<link rel="stylesheet" href="/${colourFile}" /></head>`)
  if (logo !== undefined)
    text = text.replace(/<svg\b([^>]*\bdata-logo\b[^>]*)>.*?<\/svg>/gs, (_mark, attributes: string) => {
      const kept = attributes.match(/\b(class|width|height)="[^"]*"/g) ?? []
      return `<img src="/${logoFile}" alt="" ${kept.join(' ')}>`
    })
  const lines = companyLines(company).map((line) => `<span>${escapeHtml(line)}</span>`)
  return text.replace(
    /(<footer\b[^>]*\bdata-company\b[^>]*>)(<\/footer>)/,
    (_footer, open: string, end: string) => open + lines.join('') + end,
  )
}

/** @throws SettingsError if the logo cannot be read */
export const checkLogo = (path: string): Promise<void> =>
  usingLogo(path, async (source) => void (await drawn(source, logoSide)))

const logoFiles = (path: string): Promise<[file: string, bytes: Buffer][]> =>
  usingLogo(path, async (source) => {
    // The icon's name stays, so the picture is wrapped. Vector files are not read at all: uploads must not be one.
    const mark = Buffer.from(wrapped(await drawn(source, logoSide)))
    const sharp = await loadSharp()
    const raster = await Promise.all(
      icons.map(async ({ file, side, share, ground }): Promise<[string, Buffer]> => {
        const inner = await drawn(source, Math.round(side * share))
        const background = ground ?? { r: 0, g: 0, b: 0, alpha: 0 }
        const icon = sharp({ create: { width: side, height: side, channels: 4, background } })
        return [
          file,
          await icon
            .composite([{ input: inner }])
            .png()
            .toBuffer(),
        ]
      }),
    )
    return [[logoFile, mark], ...raster]
  })

/** @throws SettingsError if the file cannot be read, or `read` fails */
async function usingLogo<T>(path: string, read: (source: Buffer) => Promise<T>): Promise<T> {
  try {
    return await read(readFileSync(path))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SettingsError(`CONFIG_FILE: the logo ${path} cannot be used: ${reason}`)
  }
}

async function drawn(source: Buffer, side: number): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(source)
    .resize(side, side, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer()
}

const wrapped = (png: Buffer): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${logoSide} ${logoSide}"><image width="${logoSide}" height="${logoSide}" href="data:image/png;base64,${png.toString('base64')}"/></svg>`

/** As text inside of a JSON string. */
const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1)
