declare module '@lhncbc/ucum-lhc' {
  interface ConvertResult {
    status: 'succeeded' | 'failed' | 'error';
    toVal: number | null;
    msg: string[];
  }
  interface Utils {
    validateUnitString(unit: string): { status: 'valid' | 'invalid' | 'error'; ucumCode: string | null; msg: string[] };
    convertUnitTo(
      from: string,
      value: number,
      to: string,
      options?: { molecularWeight?: number | null; charge?: number | null },
    ): ConvertResult;
  }
  const ucum: { UcumLhcUtils: { getInstance(): Utils } };
  export default ucum;
}
