/** Windows that radiologists use for CT, in Hounsfield units; the order is that of the keys 1 to 6. */
export const CT_WINDOWS = [
  { name: 'soft_tissue', center: 40, width: 400 },
  { name: 'lung', center: -600, width: 1500 },
  { name: 'liver', center: 90, width: 150 },
  { name: 'bone', center: 480, width: 2500 },
  { name: 'brain', center: 40, width: 80 },
  { name: 'vessels', center: 200, width: 700 },
] as const;
