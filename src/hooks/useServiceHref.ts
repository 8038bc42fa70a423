import { hrefTo } from '../router/hashLocation.ts'
import { paths } from '../paths.ts'
import { useConfig } from './useConfig.ts'

/** Where customer service is reached: the conversation in the app, or the address that the venue is set to. */
export const useServiceHref = (): string => useConfig()?.serviceUrl ?? hrefTo(paths.service)
