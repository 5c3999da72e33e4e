/** The time spans of a chart that a ticker shows. */
export const TICKER_RANGES = ['1d', '5d', '1mo', '3mo', '6mo', 'ytd', '1y', '2y', '5y', 'max'] as const;
