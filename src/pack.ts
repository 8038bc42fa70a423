import type {} from 'i18next'
import type source from '../locales/zh-CN.json'

/** zh-CN is the source of keys: what it has, every pack has, and nothing else can be asked for. */
export type Pack = typeof source

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: Pack }
  }
}
