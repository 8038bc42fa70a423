import { hrefTo } from '../router/hashLocation.ts'
import { paths } from '../paths.ts'
import { useVenueConfig } from './useVenueConfig.ts'

/** Where customer service is reached: the conversation in the app, or the address that the venue is set to. */
export const useServiceHref = (): string => useVenueConfig()?.serviceUrl ?? hrefTo(paths.service)
