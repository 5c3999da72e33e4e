/**
 * Takes the place of `xmlbuilder2`, with which vtk.js writes files of meshes: nothing here does, and the package needs
 * modules of Node.
 */
export function create(): never {
  throw new Error('the viewer writes no XML');
}
