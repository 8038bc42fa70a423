import type { OperatorConfig } from '../operatorConfig.ts'

/** Who runs the venue, line by line: name, licence, address. */
export const companyLines = (company: OperatorConfig['company']): string[] =>
  company === undefined
    ? []
    : [company.name, ...(company.licence === undefined ? [] : [company.licence]), ...company.address]
