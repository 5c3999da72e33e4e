#include "store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sim {

namespace {
constexpr int kPowerCut = 137;
}

FolderStore::FolderStore(std::string folder, Faults& faults) : folder_(std::move(folder)), faults_(faults) {
  mkdir(folder_.c_str(), 0700);
}

std::string FolderStore::path(const char* name) const { return folder_ + "/" + name; }

bool FolderStore::open(const char* name) {
  close();
  file_ = fopen(path(name).c_str(), "rb");
  return file_ != nullptr;
}

size_t FolderStore::read(void* bytes, size_t capacity) {
  return file_ != nullptr ? fread(bytes, 1, capacity, file_) : 0;
}

void FolderStore::close() {
  if (file_ != nullptr) fclose(file_);
  file_ = nullptr;
  target_.clear();
}

bool FolderStore::create(const char* name) {
  close();
  target_ = path(name);
  file_ = fopen((target_ + ".new").c_str(), "wb");
  return file_ != nullptr;
}

bool FolderStore::write(const void* bytes, size_t size) {
  if (file_ == nullptr || target_.empty() || faults_.store_full) return false;
  if (faults_.store_cut >= 0) {
    const size_t left = static_cast<size_t>(faults_.store_cut);
    if (size > left) {
      fwrite(bytes, 1, left, file_);
      fflush(file_);
      _exit(kPowerCut);
    }
    faults_.store_cut -= static_cast<int64_t>(size);
  }
  return fwrite(bytes, 1, size, file_) == size;
}

bool FolderStore::commit() {
  if (file_ == nullptr || target_.empty()) return false;
  const bool flushed = fflush(file_) == 0 && fsync(fileno(file_)) == 0;
  const std::string target = target_;
  close();
  if (!flushed || rename((target + ".new").c_str(), target.c_str()) != 0) return false;
  const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY);
  if (folder >= 0) {
    fsync(folder);
    ::close(folder);
  }
  return true;
}

void FolderStore::abandon() {
  const std::string target = target_;
  close();
  if (!target.empty()) unlink((target + ".new").c_str());
}

bool FolderStore::remove(const char* name) { return unlink(path(name).c_str()) == 0; }

}  // namespace sim
