import { common, error, message } from '../../locales/zh-CN.json'
import office from '../locales/zh-CN.json'

/** The office's own texts, and of the members' pack what the venue's error codes need, and what members are told. */
export const pack = { office, translation: { common, error, message } }
