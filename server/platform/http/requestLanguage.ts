import type { IncomingHttpHeaders } from 'node:http'
import cookie from '@fastify/cookie'
import { defaultLanguage, languageCookie, languages, type Language } from '../../../contract/constants.ts'

/** The language that the member chose in the app, else the specification's default. */
export const chosenLanguage = ({ cookie: header }: IncomingHttpHeaders): Language =>
  cookieLanguage(header) ?? defaultLanguage

/** The language of a page that is not the app's: the one chosen in the app, else the one that the browser prefers. */
export const readerLanguage = (headers: IncomingHttpHeaders): Language =>
  cookieLanguage(headers.cookie) ?? preferredLanguage(headers['accept-language'])

function cookieLanguage(header = ''): Language | undefined {
  const chosen = cookie.parse(header)[languageCookie]
  return languages.find((language) => language === chosen)
}

/** The first supported language in the browser's order of preference. */
function preferredLanguage(acceptLanguage: string | undefined): Language {
  const preferences = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.trim().split(/\s*;\s*q=/)
      return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { tag } of preferences) {
    const match = languages.find((language) => matchesTag(language.toLowerCase(), tag))
    if (match !== undefined) return match
  }
  return defaultLanguage
}

function matchesTag(language: string, tag: string): boolean {
  if (/^zh\b/.test(tag)) return language === (/hant|tw|hk|mo/.test(tag) ? 'zh-tw' : 'zh-cn')
  return tag === language || tag.startsWith(`${language}-`)
}
