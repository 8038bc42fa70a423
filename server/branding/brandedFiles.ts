import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { languages } from '../../contract/constants.ts'
import { SettingsError } from '../config.ts'
import { escapeHtml } from '../http/escapeHtml.ts'
import { oldBrowserPage, pageFile } from '../http/pageFile.ts'
import { defaultName } from '../operatorConfig.ts'
import type { OperatorConfig, OperatorSettings } from '../operatorConfig.ts'
import { companyLines } from './company.ts'
import { colourSheet } from './themeColours.ts'

export type Brand = Pick<OperatorConfig, 'name' | 'logo' | 'colours' | 'company'>
export type BrandSettings = OperatorSettings<keyof Brand>

/** Files of the build in the operator's name, logo and colours, by their name; those not listed stay as built. */
export type BrandedFiles = ReadonlyMap<string, Buffer>

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

/** @throws SettingsError if the logo cannot be read */
export async function brandedFiles(folder: string, brand: Brand): Promise<BrandedFiles> {
  const files = new Map<string, Buffer>()
  const sheet = colourSheet(brand.colours)
  const isBranded =
    brand.name !== defaultName || brand.logo !== undefined || brand.company !== undefined || sheet !== ''
  if (!isBranded) return files
  const rewrite = (file: string, change: (text: string) => string): void => {
    const path = join(folder, file)
    if (existsSync(path)) files.set(file, Buffer.from(change(readFileSync(path, 'utf8'))))
  }
  for (const file of [...languages.map(pageFile), oldBrowserPage, officePage])
    rewrite(file, (page) => brandedPage(page, brand, sheet !== ''))
  for (const language of languages)
    rewrite(`manifest.${language}.webmanifest`, (text) =>
      text.replaceAll(defaultName, () => jsonText(brand.name)),
    )
  if (sheet !== '') files.set(colourFile, Buffer.from(sheet))
  if (brand.logo !== undefined)
    for (const [file, bytes] of await logoFiles(brand.logo)) files.set(file, bytes)
  return files
}

/**
 * The page in the operator's name. The app's texts have the built-in name, which it replaces by `data-name`; an own logo is
 * the icon's file.
 */
function brandedPage(page: string, { name, logo, company }: Brand, hasColours: boolean): string {
  let text = page.replaceAll(defaultName, () => escapeHtml(name))
  text = text.replace(
    '<html ',
    () => `<html data-name="${escapeHtml(name)}"${logo === undefined ? '' : ' data-logo'} `,
  )
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

const drawn = (source: Buffer, side: number): Promise<Buffer> =>
  sharp(source)
    .resize(side, side, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer()

const wrapped = (png: Buffer): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${logoSide} ${logoSide}"><image width="${logoSide}" height="${logoSide}" href="data:image/png;base64,${png.toString('base64')}"/></svg>`

/** As text inside of a JSON string. */
const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1)
