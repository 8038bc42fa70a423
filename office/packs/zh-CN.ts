import { common, error, message } from '../../locales/zh-CN.json'
import office from '../locales/zh-CN.json'

/**
 * The office's own texts, and from the members' pack the texts of the venue's error codes and of messages to members.
 */
export const pack = { office, translation: { common, error, message } }
