#include "app/app.h"

namespace hearth {

App::App(const Ports& ports) : ports_(ports), view_{} {}

}  // namespace hearth
