import type { PlatformConfig } from './settings.ts'

/** Who runs the venue, line by line: name, licence, address. */
export const companyLines = (company: PlatformConfig['company']): string[] =>
  company === undefined
    ? []
    : [company.name, ...(company.licence === undefined ? [] : [company.licence]), ...company.address]
